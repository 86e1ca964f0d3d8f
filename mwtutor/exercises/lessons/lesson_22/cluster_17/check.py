"""22-17: a step twice as long."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_17.py"


def fault(seen: Seen) -> str:
    weights, mean = (
        seen.last("weight"),
        sum(map(sum, seen.drawn({"worker:0": 4, "worker:1": 4}))) / 8,
    )
    if not alike(*weights):
        return f"The workers have different weights, {weights[0]} and {weights[1]}."
    for times, what in ((1, ""), (2, "twice"), (0.5, "half")):
        if alike(weights[0], -times * mean):
            return (
                f"The weight moved {what} as far as the mean gradient of all rows." if what else ""
            )
    return f"The weight is {weights[0]}, not {-mean}."


check = cluster(__file__, fault, "The weight moved by the mean gradient of all eight rows.")

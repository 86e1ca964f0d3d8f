"""22-07: the model, the scope, and fit."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_07.py"


def fault(seen: Seen) -> str:
    weights, slope = seen.last("weight"), seen.all("own", ("worker:0",))[0][0]
    if alike(weights, [0.0, 0.0]):
        return "The model did not train: its weight is still 0."
    if not alike(*weights):
        return f"The workers end with different weights, {weights[0]} and {weights[1]}."
    wanted = 0.2 * slope
    return "" if alike(weights[0], wanted) else f"The weight is {weights[0]}, not {wanted:g}."


check = cluster(__file__, fault, "Both workers end with the same trained weight.")

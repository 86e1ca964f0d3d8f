"""22-15: the mean of all losses."""

from itertools import chain

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_15.py"


def fault(seen: Seen) -> str:
    own, means = [*chain(*seen.drawn({"worker:0": 6, "worker:1": 2}))], seen.last("mean")
    if not alike(*means):
        return f"The means of the workers differ: {means[0]} and {means[1]}."
    if alike(means[0], sum(own) / 2):
        return "Half of the sum of all losses was noted."
    mean = sum(own) / len(own)
    return "" if alike(means[0], mean) else f"The mean of the 8 losses is {mean}, not {means[0]}."


check = cluster(__file__, fault, "Both workers noted the mean of all eight losses.")

"""22-20: it restored, and forgot."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_20.py"


def fault(seen: Seen) -> str:
    weights, added = seen.last("weight"), sum(seen.own())
    old = seen.noted["worker:0"]["rows"][0][0]
    if alike(weights, [added, added]):
        return "Training did not start from the saved weight: it seems to start from 0."
    return "" if alike(weights, [old + added] * 2) else f"The weights are {weights}."


check = cluster(__file__, fault, "Training continued from the saved weight on both workers.")

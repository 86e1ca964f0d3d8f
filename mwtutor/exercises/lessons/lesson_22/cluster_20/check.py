"""22-20: it restored, and forgot."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_20.py"


def fault(seen: Seen) -> str:
    weights, added = seen.last("weight"), sum(seen.own())
    old = seen.noted["worker:0"]["rows"][0][0]
    for file in (seen.folder / f"yesterday-{seen.run.spec.id}").glob("*.index"):
        if b"weight/" not in file.read_bytes():
            return "Yesterday's checkpoint has no `weight`: do not change how it is saved."
    if alike(weights, [added, added]):
        return f"The weight is {added}, the sum of the two numbers: the saved weight is missing."
    if alike(weights, [old + added] * 2):
        return ""
    return f"The weights are {weights[0]} and {weights[1]}, not {old + added}."


check = cluster(__file__, fault, "Training continued from the saved weight on both workers.")

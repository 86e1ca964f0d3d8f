"""22-28: four times as much traffic."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_28.py"


def fault(seen: Seen) -> str:
    weights, wanted = (
        seen.last("weight"),
        -sum(map(sum, seen.drawn({"worker:0": 16, "worker:1": 16}))) / 8,
    )
    if not alike(weights, [wanted, wanted]):
        return f"The weights are {weights[0]} and {weights[1]}, not {wanted}."
    count = len(seen.exchanges)
    if count == 4:
        return ""
    return f"The workers made {count} exchange{'s' * (count != 1)} for 4 updates."


check = cluster(__file__, fault, "The weight is right, after one exchange for each update.")

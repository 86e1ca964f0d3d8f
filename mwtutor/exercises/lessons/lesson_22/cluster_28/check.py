"""22-28: four times as much traffic."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_28.py"


def fault(seen: Seen) -> str:
    weights, drawn = seen.all("weight"), seen.drawn({"worker:0": 16, "worker:1": 16})
    wanted = [-sum(map(sum, (one[: 4 * update] for one in drawn))) / 8 for update in (1, 2, 3, 4)]
    first, second = (noted[-1] for noted in weights)
    if not alike([first, second], [wanted[-1]] * 2):
        return f"The weights are {first} and {second}, not {wanted[-1]}."
    count = len(seen.exchanges)
    if count != 4:
        return f"The workers made {count} exchange{'s' * (count != 1)} for 4 updates."
    if any(len(noted) != 4 for noted in weights):
        return "The weight was not noted after each update: keep the line that notes it there."
    for update in range(4):
        if not alike(weights[0][update], wanted[update]):
            there = f"{weights[0][update]}, not {wanted[update]}"
            return f"The weight is right at the end, but after update {update + 1}, it is {there}."
    return ""


check = cluster(__file__, fault, "The weight is right, after one exchange for each update.")

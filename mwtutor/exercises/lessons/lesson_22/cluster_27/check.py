"""22-27: the last weight never moves."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_27.py"


def fault(seen: Seen) -> str:
    weights, (one, other) = seen.last("weights"), seen.all("own")
    for at in range(7):
        wanted = -(one[at] + other[at])
        for task, each in enumerate(weights):
            if alike(each[at], 2 * wanted):
                return f"Weight {at} moved twice as far as the sum of the two gradients."
            if not alike(each[at], wanted):
                return f"On worker {task}, weight {at} is {each[at]}, not {wanted}."
    return ""


check = cluster(__file__, fault, "All seven weights moved once, on both workers.")

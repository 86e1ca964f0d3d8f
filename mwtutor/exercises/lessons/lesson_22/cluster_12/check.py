"""22-12: two workers draw, and learn as little as one."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_12.py"


def fault(seen: Seen) -> str:
    first, second = seen.last("seen")
    numbers = set(seen.noted["worker:0"]["rows"][0])
    if [len(set(batch) & numbers) for batch in (first, second)] != [8, 8]:
        return "A worker did not draw 8 different rows."
    both = set(first) & set(second)
    if len(both) > 4:
        order = " each in a different order" if first != second else ""
        return f"{len(both)} of the 8 rows of the workers are the same{',' * bool(order)}{order}."
    total = sum(first) + sum(second)
    return "" if alike(seen.last("total"), [total, total]) else "The totals are not those of both."


check = cluster(__file__, fault, "The workers drew different rows, and added up both batches.")

"""22-12: two workers draw, and learn as little as one."""

from itertools import pairwise

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_12.py"


def fault(seen: Seen) -> str:
    first, second = seen.last("seen")
    numbers = seen.noted["worker:0"]["rows"][0]
    if [len(set(batch) & set(numbers)) for batch in (first, second)] != [8, 8]:
        return "A worker did not draw 8 different rows."
    both = set(first) & set(second)
    if len(both) > 4:
        moved = [row for row in first if row in both] != [row for row in second if row in both]
        order = ", in a different order" * moved
        return f"Each worker drew {len(both)} of the 8 rows that the other one drew{order}."
    for task, batch in enumerate((first, second)):
        places = [numbers.index(row) for row in batch]
        if len({after - place for place, after in pairwise(places)}) == 1:
            return f"worker:{task} took rows at equal distances in the file, not at random."
    totals, wanted = seen.last("total"), sum(first) + sum(second)
    if alike(totals, [wanted, wanted]):
        return ""
    return f"The workers noted {totals[0]} and {totals[1]}; the sum of both batches is {wanted}."


check = cluster(__file__, fault, "The workers drew different rows, and added up both batches.")

"""22-08: twice as many workers, and no fewer steps."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_divided

LAUNCH = "2 broken_08.py"


def fault(seen: Seen) -> str:
    if words := not_divided(seen):
        return words
    sizes = {len(batch) for batches in seen.all("seen") for batch in batches}
    found = " or ".join(map(str, sorted(sizes)))
    return "" if sizes == {8} else f"Rows in a worker's batch: {found}; there should be 8."


check = cluster(
    __file__, fault, "Each worker took 8 rows in each step, and every row was read once."
)

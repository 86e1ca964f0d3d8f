"""22-08: twice as many workers, and no fewer steps."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_divided

LAUNCH = "2 broken_08.py"


def fault(seen: Seen) -> str:
    if words := not_divided(seen):
        return words
    sizes = {len(batch) for batches in seen.all("seen") for batch in batches}
    return "" if sizes == {8} else f"A worker's batch has {sorted(sizes)} rows instead of 8 rows."


check = cluster(
    __file__, fault, "Each worker took 8 rows in each step, and every row was read once."
)

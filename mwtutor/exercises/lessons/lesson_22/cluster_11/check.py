"""22-11: some rows twice, some never."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_divided

LAUNCH = "2 broken_11.py"


def fault(seen: Seen) -> str:
    if words := not_divided(seen):
        return words
    numbers = seen.noted["worker:0"]["rows"][0]
    for task, batches in enumerate(seen.all("seen")):
        if not any(batches):
            return f"worker:{task} read no rows."
        places = [numbers.index(row) for batch in batches for row in batch]
        if places == sorted(places):
            return f"worker:{task} read its rows in the order of the file: they are not shuffled."
    return ""


check = cluster(__file__, fault, "Every row was read once, and in random order.")

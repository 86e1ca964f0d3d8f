"""22-25: large arrays never arrive."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_summed

LAUNCH = "2 broken_25.py --timeout 30"


def fault(seen: Seen) -> str:
    for count in map(int, seen.last("numbers")):
        if count != 4_000_000:
            return f"A worker received {count} numbers, not 4,000,000."
    return not_summed(seen)


check = cluster(__file__, fault, "Each worker received four million numbers, and noted the sum.")

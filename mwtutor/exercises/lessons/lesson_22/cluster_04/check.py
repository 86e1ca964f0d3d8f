"""22-04: printing a test value makes it fail."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster, not_summed

LAUNCH = "2 broken_04.py"


def fault(seen: Seen) -> str:
    if not alike(seen.last("test"), [3.0, 3.0]):
        return "The workers did not note the test value 3."
    return not_summed(seen)


check = cluster(
    __file__, fault, "Both workers noted the test value and the sum of the two numbers."
)

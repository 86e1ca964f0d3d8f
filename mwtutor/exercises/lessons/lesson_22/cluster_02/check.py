"""22-02: somebody else has the port."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_summed

LAUNCH = "2 broken_02.py"


def fault(seen: Seen) -> str:
    indexes = [int(one) for one in seen.last("index")]
    if indexes != [0, 1]:
        return f"In TensorFlow, the indexes of the workers are {indexes}."
    return not_summed(seen)


check = cluster(
    __file__, fault, "The workers have the indexes 0 and 1, and noted the sum of the two numbers."
)

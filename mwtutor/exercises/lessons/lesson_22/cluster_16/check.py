"""22-16: the last batch breaks it."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_16.py"


def fault(seen: Seen) -> str:
    sums, wanted = seen.last("sum"), sum(map(sum, seen.drawn({"worker:0": 4, "worker:1": 3})))
    if alike(sums, [wanted, wanted]):
        return ""
    few = " Some rows are missing." if max(sums) < wanted else ""
    return f"The workers noted {sums[0]} and {sums[1]}; the sum of the seven rows is {wanted}.{few}"


check = cluster(__file__, fault, "Both workers noted the sum of all seven rows.")

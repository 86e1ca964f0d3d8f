"""22-09: every factor is the first one."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_09.py"


def fault(seen: Seen) -> str:
    own, results = seen.own(), seen.last("result")
    for times, what in ((3, "3 times"), (111, "")):
        if alike(results, [times * sum(own)] * 2):
            return f"The result is {what} the sum." if what else ""
    if alike(results, [111 * one for one in own]):
        return "Each worker's result is only its own number, times 111."
    return f"The results are {results}, not {111 * sum(own)}."


check = cluster(__file__, fault, "Both workers added up 111 times the sum of the two numbers.")

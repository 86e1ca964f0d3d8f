"""22-13: the last row never comes."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_13.py"


def fault(seen: Seen) -> str:
    totals, wanted = seen.all("total"), sum(map(sum, seen.drawn({"worker:0": 5, "worker:1": 4})))
    if not alike(*totals):
        return "The workers noted different totals."
    if alike(sum(totals[0]), wanted):
        return ""
    if sum(totals[0]) > wanted:
        return "A number was added too often."
    return "A number that a worker has is in no total."


check = cluster(
    __file__,
    fault,
    "Each of the nine numbers is in the totals, and both workers have the same ones.",
)

"""22-13: the last row never comes."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_13.py"


def fault(seen: Seen) -> str:
    totals, drawn = seen.all("total"), seen.drawn({"worker:0": 5, "worker:1": 4})
    if not alike(*totals):
        return "The workers noted different totals."
    added, wanted = sum(totals[0]), sum(map(sum, drawn))
    if alike(added, wanted):
        return ""
    for task, numbers in enumerate(drawn):
        if wanted - added in numbers:
            return f"The number {wanted - added} of worker:{task} is in no total."
        if added - wanted in numbers:
            return f"The totals are too large by {added - wanted}, a number of worker:{task}."
    return f"The totals add up to {added}, and the nine numbers to {wanted}."


check = cluster(
    __file__,
    fault,
    "Each of the nine numbers is in the totals, which are the same on both workers.",
)

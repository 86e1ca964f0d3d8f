"""22-30: only the chief reports."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_30.py"


def fault(seen: Seen) -> str:
    (losses,) = seen.all("loss", ("worker:0",))
    if alike(losses, [1001.0]):
        return "The chief noted only its own loss."
    if "loss" in seen.noted["worker:1"]:
        return "The chief should note the loss, but worker 1 also did."
    (one, other), totals = seen.all("own"), seen.all("total")
    wanted = [mine + its for mine, its in zip(one, other, strict=True)]
    if not alike(totals, [wanted, wanted]):
        return f"The totals are {totals}, not {wanted}."
    return "" if alike(losses, [2003.0]) else f"The loss of both is 2003, not {losses[-1]}."


check = cluster(
    __file__, fault, "The totals are right, and the chief noted the loss of both workers."
)

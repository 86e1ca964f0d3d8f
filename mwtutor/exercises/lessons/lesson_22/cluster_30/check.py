"""22-30: only the chief reports."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_30.py"


def fault(seen: Seen) -> str:
    (one, other), totals = seen.drawn({"worker:0": 8, "worker:1": 8}), seen.all("total")
    (losses,) = seen.all("loss", ("worker:0",))
    if alike(losses, [one[3]]):
        return "The chief noted only its own loss."
    if "loss" in seen.noted["worker:1"]:
        return "Only the chief should note the loss, but worker 1 also did."
    wanted = [mine + its for mine, its in zip(one[::2], other[::2], strict=True)]
    if not alike(totals, [wanted, wanted]):
        return f"The totals are {totals}, not {wanted}."
    loss = one[3] + other[3]
    return (
        "" if alike(losses, [loss]) else f"The losses add up to {loss}; the workers noted {losses}."
    )


check = cluster(
    __file__, fault, "The totals are right, and the chief noted the sum of both losses."
)

"""22-19: saving never ends."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_19.py"


def fault(seen: Seen) -> str:
    (values,) = seen.all("saved", ("worker:0",))
    own = seen.own()
    if alike(values[-1], own[0]):
        return "The saved count has only worker:0's rows."
    return "" if alike(values[-1], sum(own)) else f"{values[-1]} was saved, not {sum(own)}."


check = cluster(__file__, fault, "The saved count is the sum over both workers.")

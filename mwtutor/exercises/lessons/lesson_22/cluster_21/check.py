"""22-21: the chief waits for a file."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_summed

LAUNCH = "2 broken_21.py --timeout 30"


def fault(seen: Seen) -> str:
    if seen.all("ready", ("worker:0",))[0][-1] != 1:
        return "When the chief began its exchange, worker 1 was not ready."
    try:
        text = (seen.folder / f"ready-{seen.run.spec.id}").read_text()
    except OSError:
        text = ""
    if text != "prepared":
        return "worker:1 did not prepare the file."
    return not_summed(seen)


check = cluster(
    __file__, fault, "The chief waited until worker 1 was ready, and both noted the sum."
)

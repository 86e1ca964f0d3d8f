"""22-21: the chief waits for a file."""

from mwtutor.exercises.lessons.clusters import Seen, cluster, not_summed

LAUNCH = "2 broken_21.py --timeout 30"


def fault(seen: Seen) -> str:
    if seen.all("ready", ("worker:0",))[0][-1] != 1:
        return "When the chief began its exchange, worker 1 was not ready."
    file = seen.folder / f"ready-{seen.run.spec.id}"
    try:
        text, written = file.read_text(), file.stat().st_mtime
    except OSError:
        return "There is no file at the end."
    if text != str(number := seen.own()[1]):
        return f"The file contains {text[:20]!r}, not {number}, the number of worker:1."
    if any(one.begun < written for one in seen.exchanges):
        return "The chief began an exchange before worker 1 had written the file."
    return not_summed(seen)


check = cluster(
    __file__, fault, "The chief waited until worker 1 was ready, and both noted the sum."
)

"""22-18: one of them fails to save."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster, not_summed

LAUNCH = "2 broken_18.py"


def fault(seen: Seen) -> str:
    if words := not_summed(seen, "weight"):
        return words
    try:
        lines = (seen.folder / f"saved-{seen.run.spec.id}" / "weight.txt").read_text().split()
    except OSError:
        return "There is no file weight.txt in the run's folder."
    if len(lines) != 1:
        return f"weight.txt has {len(lines)} lines, not 1."
    if not alike(float(lines[0]), seen.last("weight")[0]):
        return f"weight.txt contains {lines[0]:.20}, which is not the weight."
    return ""


check = cluster(__file__, fault, "The file contains the weight, once.")

"""22-29: loss and rows are mixed up."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_29.py"


def fault(seen: Seen) -> str:
    (loss, rows), (its_loss, its_rows) = seen.all("own")
    wanted = {"loss": loss + its_loss + 1000, "rows": rows + its_rows + 1000}
    noted = {name: seen.last(name) for name in wanted}
    if not alike(noted["loss"], [wanted["loss"]] * 2):
        return "A sum has the loss of one worker and the rows of one worker."
    if not alike(noted["rows"], [wanted["rows"]] * 2):
        return "The number of rows is not the sum over both workers."
    return ""


check = cluster(__file__, fault, "Loss and rows are the sums over both workers.")

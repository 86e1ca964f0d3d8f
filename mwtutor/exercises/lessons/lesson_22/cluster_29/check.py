"""22-29: loss and rows are mixed up."""

from mwtutor.exercises.lessons.clusters import Seen, alike, cluster

LAUNCH = "2 broken_29.py"


def fault(seen: Seen) -> str:
    (loss, rows), (its_loss, its_rows) = seen.all("own")
    wanted = {"loss": loss + its_loss + 1000, "rows": rows + its_rows + 1000}
    noted = {name: seen.last(name) for name in wanted}
    if alike(noted["loss"], [loss + its_rows, rows + its_loss + 2000]):
        return "Each sum has the loss of one worker and the rows of the other."
    for name, total in wanted.items():
        one, other = noted[name]
        if not alike([one, other], [total, total]):
            return f"As {name}, the workers noted {one} and {other}; the sum is {total}."
    return ""


check = cluster(__file__, fault, "Loss and rows are the sums over both workers.")

# misconception: rows that fill no batch are dropped
# says: In your answer, rows that do not fill a batch at the end of a pass are never read.


def rows_of(update, batch, rows):
    first = update % max(1, rows // batch) * batch
    return list(range(first, first + batch))

# misconception: each pass ends with a partial batch
# says: In your answer, each pass ends with a partial batch, as with `.batch(batch).repeat()`.


def rows_of(update, batch, rows):
    first = update % -(-rows // batch) * batch
    return list(range(first, min(first + batch, rows)))

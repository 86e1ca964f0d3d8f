# misconception: the last batch is divided like a full one
# says: In your answer, the partial batch is divided like a full one, not on its own.


def evaluated_rows(rows, batch, worker, workers):
    each = -(-batch // workers)
    return [row for row in range(rows) if row % batch // each == worker]

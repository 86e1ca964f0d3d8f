# misconception: the partial batch is not evaluated
# says: The rows of the last, partial batch are missing.


def evaluated_rows(rows, batch, worker, workers):
    found, each = [], -(-batch // workers)
    for first in range(0, rows - batch + 1, batch):
        found += range(first + min(batch, each * worker), first + min(batch, each * (worker + 1)))
    return found

def evaluated_rows(rows, batch, worker, workers):
    found = []
    for first in range(0, rows, batch):
        size = min(batch, rows - first)
        each = -(-size // workers)
        found += range(first + min(size, each * worker), first + min(size, each * (worker + 1)))
    return found

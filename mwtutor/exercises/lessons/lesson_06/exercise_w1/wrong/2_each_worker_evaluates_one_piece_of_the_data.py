# misconception: each worker evaluates one piece of the data
# says: Here each worker evaluates one piece of the data, and the batches are not divided.


def evaluated_rows(rows, batch, worker, workers):
    each = -(-rows // workers)
    return list(range(min(rows, each * worker), min(rows, each * (worker + 1))))

# misconception: each worker evaluates one piece of the data
# says: In your answer, each worker evaluates one piece of the data; batches are not divided.


def evaluated_rows(rows, batch, worker, workers):
    each = -(-rows // workers)
    return list(range(min(rows, each * worker), min(rows, each * (worker + 1))))

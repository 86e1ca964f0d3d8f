# misconception: a worker's batch must be divided
# says: Your answer divides the worker's batch by the number of workers.


def one_process(rows, per_worker, workers):
    batch = max(1, per_worker // workers)
    return batch, -(-rows // batch)

# misconception: what arrives at a worker is counted as what it sends
# says: what worker 0 receives, too


def worker_0_bytes(workers, model):
    return 2 * (workers - 1) * model


def ring_bytes(workers, model):
    return 2 * (workers - 1) * model / workers

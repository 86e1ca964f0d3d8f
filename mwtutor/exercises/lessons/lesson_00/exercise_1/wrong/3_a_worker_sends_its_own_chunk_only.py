# misconception: a worker sends its own chunk, and that is all
# says: counts one chunk


def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return model / workers

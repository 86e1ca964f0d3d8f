# misconception: the ring is done when every chunk has been added up somewhere
# says: only the first round


def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return (workers - 1) * model / workers

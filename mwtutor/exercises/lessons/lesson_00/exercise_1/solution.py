def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return 2 * (workers - 1) * model / workers

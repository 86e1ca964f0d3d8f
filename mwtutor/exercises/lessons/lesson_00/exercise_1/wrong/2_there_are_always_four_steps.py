# misconception: there are always four steps, as in the table
# says: four steps, as with three workers


def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return 4 * model / workers

# misconception: a round has as many steps as there are workers
# says: one step too many


def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return 2 * model

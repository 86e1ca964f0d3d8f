# misconception: in a ring, whole gradients are passed on
# says: whole gradients, but what travels in a step


def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return (workers - 1) * model

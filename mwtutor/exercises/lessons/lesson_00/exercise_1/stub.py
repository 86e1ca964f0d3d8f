def worker_0_bytes(workers, model):
    return None


def ring_bytes(workers, model):
    return None

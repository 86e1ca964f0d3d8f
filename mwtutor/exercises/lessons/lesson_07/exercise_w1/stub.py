def believed(gpus):
    """How many replicas each worker counts, if `gpus[i]` is the number of GPUs that the resolver
    of worker `i` claims.

    Without a GPU, the CPU is one replica.

    Returns a list: one number for each worker.
    """
    return None

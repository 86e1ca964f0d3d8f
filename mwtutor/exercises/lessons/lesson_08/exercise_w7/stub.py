def one_process(rows, per_worker, workers):
    """The batch size and the number of steps per epoch with which one process makes the same
    updates as the cluster, in which each worker takes `per_worker` rows per step.

    Returns (batch size, steps per epoch). The last batch of an epoch may have fewer rows.
    """
    return None

def assigned(copies, values, aggregation):
    """What the `copies` of a mirrored variable become when replica `i` calls
    `assign_sub(values[i])`, if one process has all replicas, as under `MirroredStrategy`.

    `aggregation` is "SUM", "MEAN", "ONLY_FIRST_REPLICA" or "NONE".

    Returns a list: the copy of each replica.
    """
    return None

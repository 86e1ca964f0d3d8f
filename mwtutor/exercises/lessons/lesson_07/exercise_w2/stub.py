def all_reduced(values, me, place):
    """What replica `me` gets from `all_reduce("SUM", values[me])` if it is called "outside", in
    the "scope", or in a "replica".

    An error counts as "error".

    Returns a number, or "error". values: one for each replica
    """
    return None

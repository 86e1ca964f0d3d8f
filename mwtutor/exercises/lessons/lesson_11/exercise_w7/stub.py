def rows_per_second(seconds, batch, synchronous):
    """The rows that all workers together train on in a second.

    `seconds` lists how long each worker's step takes; a step has `batch` rows.

    Returns rows per second, without the time of exchanges.
    """
    return None

def seconds_waited(ready):
    """How many seconds each worker has waited in all.

    `ready` has a list for each exchange: when each worker was ready for it.

    Returns a list: the seconds of each worker. An exchange begins when all are ready.
    """
    return None

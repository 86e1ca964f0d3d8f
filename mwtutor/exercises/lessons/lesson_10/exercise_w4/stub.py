def thread_limits(processors, workers):
    """The largest limit for each worker such that all workers of one machine together have no more
    threads than it has processors, and how many threads they have without a limit.

    Returns (limit, threads of all workers without a limit). A worker needs at least one thread.
    """
    return None

def failing(steps):
    """List the tasks whose merges fail because the shared folder is not there, in order. A task
    with two such merges is listed twice.

    steps: [("write", "worker:0"), ("merge", "worker:0"), ...] in the order of time. At first, the
    folder is not there. A write creates it if it is not there; a merge moves all files out of it
    and removes it.
    """
    return None

# %%mw
def begin(checkpoint):
    """Called at each start, on every worker. Returns the manager whose save() is called."""
    return None


def finish(manager):
    """Called after the last epoch of each start, on every worker."""

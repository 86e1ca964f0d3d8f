# %%mw
def begin(checkpoint):
    """At each start, on every worker: returns the manager whose save() is called."""
    return None


def finish(manager):
    """After the last epoch of each start, on every worker."""

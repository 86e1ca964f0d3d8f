def joined_after(seconds, workers):
    """When `join` returns.

    `seconds` lists how long each scheduled step takes, in order; a worker that is free takes
    the next one.

    Returns seconds after the first step began; 0 without steps.
    """
    return None

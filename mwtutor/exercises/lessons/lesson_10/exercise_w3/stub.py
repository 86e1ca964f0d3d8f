def share_used(kind, alone, together, machines):
    """The efficiency for "weak" or "strong" scaling, if a step takes `alone` seconds on one
    machine and `together` seconds on `machines` of them.

    Returns a number, usually between 0 and 1.
    """
    return None

def stale_weights(start, rate, read):
    """The weight after 0, 1, 2 ... updates.

    The gradient of update i, counted from 0, is the weight as it was after read[i] updates, and
    read[i] is at most i. It is applied to the newest weight.

    Returns a list of len(read) + 1 weights.
    """
    return None

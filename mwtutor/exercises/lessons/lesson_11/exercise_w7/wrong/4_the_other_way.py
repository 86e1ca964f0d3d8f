# misconception: asynchronous workers wait
# says: The asynchronous workers wait for each other here, and the synchronous ones do not.


def rows_per_second(seconds, batch, synchronous):
    if not synchronous:
        return len(seconds) * batch / max(seconds)
    return sum(batch / own for own in seconds)

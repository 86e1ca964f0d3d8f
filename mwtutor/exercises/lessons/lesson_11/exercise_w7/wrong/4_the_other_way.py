# misconception: asynchronous workers wait
# says: Your asynchronous workers wait for each other, and the synchronous ones do not.


def rows_per_second(seconds, batch, synchronous):
    if not synchronous:
        return len(seconds) * batch / max(seconds)
    return sum(batch / own for own in seconds)

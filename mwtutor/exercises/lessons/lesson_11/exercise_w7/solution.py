def rows_per_second(seconds, batch, synchronous):
    if synchronous:
        return len(seconds) * batch / max(seconds)
    return sum(batch / own for own in seconds)

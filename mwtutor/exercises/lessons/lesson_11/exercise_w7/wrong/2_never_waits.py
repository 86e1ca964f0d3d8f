# misconception: a slow worker never holds up the others
# says: In your answer, no worker waits for another, even in synchronous training.


def rows_per_second(seconds, batch, synchronous):
    return sum(batch / own for own in seconds)

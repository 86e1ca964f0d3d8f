# misconception: a slow worker never holds up the others
# says: Even in synchronous training, no worker waits for another in your answer.


def rows_per_second(seconds, batch, synchronous):
    return sum(batch / own for own in seconds)

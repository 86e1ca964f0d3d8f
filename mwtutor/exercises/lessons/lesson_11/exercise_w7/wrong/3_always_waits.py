# misconception: the slowest worker always sets the pace
# says: In asynchronous training, too, all wait for the slowest worker in your answer.


def rows_per_second(seconds, batch, synchronous):
    return len(seconds) * batch / max(seconds)

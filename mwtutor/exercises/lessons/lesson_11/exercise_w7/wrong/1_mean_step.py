# misconception: the average worker sets the pace
# says: For asynchronous training, your answer averages the times, but each worker has its own pace.


def rows_per_second(seconds, batch, synchronous):
    if synchronous:
        return len(seconds) * batch / max(seconds)
    return len(seconds) * batch / (sum(seconds) / len(seconds))

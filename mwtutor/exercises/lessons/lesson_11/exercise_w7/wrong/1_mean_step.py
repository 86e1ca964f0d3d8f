# misconception: the average worker sets the pace
# says: Asynchronously, your answer uses the average time, but each worker has its own pace.


def rows_per_second(seconds, batch, synchronous):
    if synchronous:
        return len(seconds) * batch / max(seconds)
    return len(seconds) * batch / (sum(seconds) / len(seconds))

# misconception: each worker needs its own exchange
# says: In your answer, the exchange counts once for each worker.


def step_seconds(rows, seconds_per_row, exchange):
    return max(rows) * seconds_per_row + exchange * len(rows)

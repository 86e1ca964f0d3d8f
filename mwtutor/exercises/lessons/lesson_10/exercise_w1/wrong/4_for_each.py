# misconception: each worker needs its own exchange
# says: The exchange counts once for each worker in your answer.


def step_seconds(rows, seconds_per_row, exchange):
    return max(rows) * seconds_per_row + exchange * len(rows)

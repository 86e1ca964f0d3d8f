# misconception: the average worker sets the pace
# says: In your answer, the mean number of rows counts, but all wait for the worker with the most.


def step_seconds(rows, seconds_per_row, exchange):
    return sum(rows) / len(rows) * seconds_per_row + exchange

# misconception: the average worker sets the pace
# says: The average number of rows counts in your answer, but all wait for the worker with the most.


def step_seconds(rows, seconds_per_row, exchange):
    return sum(rows) / len(rows) * seconds_per_row + exchange

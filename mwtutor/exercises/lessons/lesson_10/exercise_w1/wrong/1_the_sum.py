# misconception: the workers compute one after the other
# says: The workers compute one after the other in your answer, but they do so at the same time.


def step_seconds(rows, seconds_per_row, exchange):
    return sum(rows) * seconds_per_row + exchange

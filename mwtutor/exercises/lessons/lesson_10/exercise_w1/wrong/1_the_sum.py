# misconception: the workers compute one after the other
# says: In your answer, the workers compute one after the other, not at the same time.


def step_seconds(rows, seconds_per_row, exchange):
    return sum(rows) * seconds_per_row + exchange

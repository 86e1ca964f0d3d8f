# misconception: the exchange costs nothing while others compute
# says: In your answer, the exchange overlaps with the computing, but it begins only afterward.


def step_seconds(rows, seconds_per_row, exchange):
    return max(max(rows) * seconds_per_row, exchange)

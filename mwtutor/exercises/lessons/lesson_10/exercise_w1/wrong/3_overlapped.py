# misconception: the exchange costs nothing while others compute
# says: The exchange is hidden behind the computing in your answer, but it begins after it.


def step_seconds(rows, seconds_per_row, exchange):
    return max(max(rows) * seconds_per_row, exchange)

def step_seconds(rows, seconds_per_row, exchange):
    computing = max(rows) * seconds_per_row
    return computing + exchange

def step_seconds(rows, seconds_per_row, exchange):
    """How long a step takes if worker `i` has `rows[i]` rows, and the exchange takes `exchange`
    seconds after the last worker is ready.

    Returns seconds of the step, the same for all workers.
    """
    return None

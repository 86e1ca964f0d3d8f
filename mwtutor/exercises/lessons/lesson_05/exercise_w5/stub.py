def step_sizes(rows, batch, workers, drop):
    return None

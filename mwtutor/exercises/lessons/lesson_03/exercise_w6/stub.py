def for_workers(rows, batch, rate, workers):
    return None

def for_workers(rows, batch, rate, workers):
    together = batch * workers
    return together, rows // together, rate * workers

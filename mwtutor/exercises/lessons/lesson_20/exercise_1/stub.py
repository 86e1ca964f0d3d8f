def share(order, done, batch, worker, workers):
    return None

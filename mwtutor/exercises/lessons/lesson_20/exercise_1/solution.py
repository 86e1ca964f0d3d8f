def share(order, done, batch, worker, workers):
    return list(order[done : done + batch])[worker::workers]

# misconception: each worker trains on the whole batch
# says: several workers


def share(order, done, batch, worker, workers):
    return order[done : done + batch]

# misconception: each worker continues in its own shard
# says: belong to no worker


def share(order, done, batch, worker, workers):
    mine = order[worker::workers]
    return mine[done : done + batch // workers]

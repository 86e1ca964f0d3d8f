# misconception: the batch size is that of each worker
# says: 2 times as many rows


def share(order, done, batch, worker, workers):
    begin = done + worker * batch
    return order[begin : begin + batch]

# misconception: the batch can always be divided by the number of workers
# says: belongs to no worker


def share(order, done, batch, worker, workers):
    part = batch // workers
    begin = done + worker * part
    return order[begin : min(begin + part, done + batch)]

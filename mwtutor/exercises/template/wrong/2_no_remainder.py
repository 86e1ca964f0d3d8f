# misconception: the number of rows can be divided by the number of workers
# says: no worker takes


def share(rows, worker, workers):
    size = len(rows) // workers
    return rows[worker * size : (worker + 1) * size]

# misconception: the last worker may have any number of rows
# says: numbers of rows


def share(order, done, batch, worker, workers):
    rows = order[done : done + batch]
    part = len(rows) // workers
    end = len(rows) if worker == workers - 1 else (worker + 1) * part
    return rows[worker * part : end]

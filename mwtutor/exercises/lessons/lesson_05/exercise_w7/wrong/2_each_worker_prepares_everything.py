# misconception: each worker prepares everything
# says: All rows were prepared: nothing is left out for the other workers.


def prepared(rows, work, worker, workers):
    return [work(row) for row in rows]

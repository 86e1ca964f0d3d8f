# misconception: the workers take rows in turn
# says: In your answer, the workers take the rows in turn, one by one.


def evaluated_rows(rows, batch, worker, workers):
    return list(range(worker, rows, workers))

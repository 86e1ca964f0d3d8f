# misconception: every worker evaluates everything
# says: In your answer, every worker evaluates all rows.


def evaluated_rows(rows, batch, worker, workers):
    return list(range(rows))

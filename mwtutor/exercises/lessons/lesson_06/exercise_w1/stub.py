def evaluated_rows(rows, batch, worker, workers):
    return None

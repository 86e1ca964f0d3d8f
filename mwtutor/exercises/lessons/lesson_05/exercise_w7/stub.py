def prepared(rows, work, worker, workers):
    return None

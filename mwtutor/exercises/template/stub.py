def share(rows, worker, workers):
    return None

def share(rows, worker, workers):
    return rows[worker::workers]

def prepared(rows, work, worker, workers):
    own = rows[worker::workers]
    return [work(row) for row in own]

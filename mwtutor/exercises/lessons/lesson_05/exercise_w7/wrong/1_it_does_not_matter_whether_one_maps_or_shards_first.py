# misconception: it does not matter whether one maps or shards first
# says: The rows are right, but `work` was called for the other workers' rows, too.


def prepared(rows, work, worker, workers):
    return [work(row) for row in rows][worker::workers]

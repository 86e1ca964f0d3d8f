# misconception: each worker reads all rows
# says: This worker gets all rows: that is what `OFF` does.


def data_shard(rows, batch, worker, workers):
    each = batch // workers
    return [rows[start : start + each] for start in range(0, len(rows), each)]

# misconception: each worker gets one piece of the dataset
# says: In your answer, each worker gets one piece of the whole dataset, not a part of each batch.


def data_shard(rows, batch, worker, workers):
    size, each = len(rows) // workers, batch // workers
    return [rows[start : start + each] for start in range(worker * size, (worker + 1) * size, each)]

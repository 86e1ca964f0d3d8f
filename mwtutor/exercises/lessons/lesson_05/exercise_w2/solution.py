def data_shard(rows, batch, worker, workers):
    each = batch // workers
    starts = range(worker * each, len(rows), batch)
    return [rows[start : start + each] for start in starts]

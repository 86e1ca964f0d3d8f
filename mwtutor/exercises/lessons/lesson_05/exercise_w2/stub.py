def data_shard(rows, batch, worker, workers):
    return None

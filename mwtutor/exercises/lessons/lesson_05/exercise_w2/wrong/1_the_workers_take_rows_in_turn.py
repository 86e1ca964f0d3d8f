# misconception: the workers take rows in turn
# says: In your answer, the workers take rows in turn, as `shard` does by hand.


def data_shard(rows, batch, worker, workers):
    own, each = rows[worker::workers], batch // workers
    return [own[start : start + each] for start in range(0, len(own), each)]

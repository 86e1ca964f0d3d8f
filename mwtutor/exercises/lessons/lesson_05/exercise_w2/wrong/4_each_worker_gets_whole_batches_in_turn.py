# misconception: each worker gets whole batches in turn
# says: In your answer, a worker gets whole batches, and in the other steps nothing.


def data_shard(rows, batch, worker, workers):
    return [
        rows[start : start + batch] for start in range(worker * batch, len(rows), batch * workers)
    ]

# misconception: the dataset is batched for one worker
# says: The global batch has stayed that of one worker: the workers share these rows.


def for_workers(rows, batch, rate, workers):
    return batch, rows // batch, rate * workers

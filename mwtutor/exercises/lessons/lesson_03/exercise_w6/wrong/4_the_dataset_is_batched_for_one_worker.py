# misconception: the dataset is batched for one worker
# says: Your global batch is still that of one worker, and the workers share it.


def for_workers(rows, batch, rate, workers):
    return batch, rows // batch, rate * workers

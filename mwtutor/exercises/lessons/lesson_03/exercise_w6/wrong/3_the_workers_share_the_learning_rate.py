# misconception: the workers share the learning rate
# says: The learning rate was divided: steps that are fewer also became smaller.


def for_workers(rows, batch, rate, workers):
    return batch * workers, rows // (batch * workers), rate / workers

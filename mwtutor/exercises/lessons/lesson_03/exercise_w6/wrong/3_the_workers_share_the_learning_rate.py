# misconception: the workers share the learning rate
# says: The learning rate was divided: there are fewer steps, and each became smaller, too.


def for_workers(rows, batch, rate, workers):
    return batch * workers, rows // (batch * workers), rate / workers

# misconception: a step has the rows of all workers
# says: With parameter servers, too, a step has the rows of all workers here.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * workers

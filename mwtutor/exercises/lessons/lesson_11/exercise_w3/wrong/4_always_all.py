# misconception: a step has the rows of all workers
# says: With parameter servers, too, a step has the rows of all workers in your answer.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * workers

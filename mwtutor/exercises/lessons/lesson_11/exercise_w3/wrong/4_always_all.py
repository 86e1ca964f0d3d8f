# misconception: a step has the rows of all workers
# says: In your answer, a step has the rows of all workers, even with parameter servers.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * workers

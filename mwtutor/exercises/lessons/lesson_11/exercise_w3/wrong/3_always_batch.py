# misconception: a step has the rows of one worker
# says: In your answer, a mirrored step has the rows of one worker.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch

# misconception: a step has the rows of one worker
# says: A mirrored step has the rows of one worker in your answer.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch

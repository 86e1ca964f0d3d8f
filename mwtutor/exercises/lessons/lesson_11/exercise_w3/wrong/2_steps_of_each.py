# misconception: each worker makes all steps of an epoch
# says: With parameter servers, each worker makes all steps in your answer.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return (updates if mirrored else updates * workers), updates * batch * workers

# misconception: each worker makes all steps of an epoch
# says: With parameter servers, your answer has each worker make all steps.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return (updates if mirrored else updates * workers), updates * batch * workers

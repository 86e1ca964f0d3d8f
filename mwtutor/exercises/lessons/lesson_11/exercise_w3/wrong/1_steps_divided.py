# misconception: the workers share the updates of an epoch
# says: With parameter servers, your answer divides the updates among the workers.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return (
        (updates, updates * batch * workers) if mirrored else (updates // workers, updates * batch)
    )

# misconception: the workers share the updates of an epoch
# says: With parameter servers, the updates are divided among the workers in your answer.


def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return (
        (updates, updates * batch * workers) if mirrored else (updates // workers, updates * batch)
    )

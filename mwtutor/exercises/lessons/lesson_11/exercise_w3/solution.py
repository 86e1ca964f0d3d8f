def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (workers if mirrored else 1)

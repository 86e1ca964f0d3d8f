def totals(epochs, steps, batch, workers, mirrored):
    """How many updates the model has had, and how many rows were read, after `epochs` epochs of
    `steps` steps, with parameter servers or, if `mirrored`, with mirrored workers.

    A worker takes `batch` rows a step.

    Returns (updates, rows). With mirrored workers, each step is made by all of them together.
    """
    return None

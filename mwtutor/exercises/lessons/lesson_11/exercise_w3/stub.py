def totals(epochs, steps, batch, workers, mirrored):
    """The model's updates and the rows read when `epochs` epochs of `steps` steps end, with
    parameter servers or `mirrored`.

    A worker takes `batch` rows a step.

    Returns (updates, rows). With mirrored workers, each step is made by all of them together.
    """
    return None

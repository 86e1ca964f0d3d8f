def after_step(weights, gradients, rate, inside):
    """Compute each worker's weight after a step of SGD on the model that it loaded, `inside`
    the scope or outside.

    Returns the weights after the step, a list: one for each worker.

    weights, gradients: lists, with each worker's weight before the step, and its part of the
    gradient. The sum of the parts is the gradient of all rows.
    """
    return None

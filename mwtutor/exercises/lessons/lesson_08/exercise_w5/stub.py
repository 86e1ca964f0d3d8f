def after_step(weights, gradients, rate, inside):
    """Each worker's weight after a step of SGD on the model it loaded, `inside` the scope or
    outside, from each worker's weight and its part of the gradient.

    Returns the weights after the step, a list: one for each worker.

    weights, gradients: lists, one number for each worker. The sum of the parts is the gradient of
    all rows.
    """
    return None

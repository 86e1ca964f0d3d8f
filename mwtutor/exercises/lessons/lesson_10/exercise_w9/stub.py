import math


def scaled_step(weight, gradients, scale):
    """Take a step with learning rate 1. Returns the weight and the scale after it: (weight, scale).

    `gradients` are the workers' gradients of the scaled loss; they are summed. If any is not
    finite, no worker updates, and the scale is halved; otherwise the scale stays.
    """
    return None

import math


def scaled_step(weight, gradients, scale):
    """The weight (learning rate 1) and the scale after a step: (weight, scale).

    `gradients` are the workers' gradients of the scaled loss; they are summed. If any is not
    finite, no worker updates, and the scale is halved; otherwise the scale stays.
    """
    return None

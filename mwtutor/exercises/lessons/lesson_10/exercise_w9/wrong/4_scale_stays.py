# misconception: the scale is constant
# says: The scale stays the same after an infinity, so the next step meets it, too.


import math


def scaled_step(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale
    return weight - sum(gradients) / scale, scale

# misconception: the optimizer needs no division
# says: The gradients are still scaled, so the step is too large.


import math


def scaled_step(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients), scale

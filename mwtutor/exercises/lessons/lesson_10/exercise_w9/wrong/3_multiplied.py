# misconception: gradients of a scaled loss must be scaled, too
# says: The gradients are multiplied by the scale once more instead of divided.


import math


def scaled_step(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) * scale, scale

# misconception: the scale is constant
# says: In your answer, the scale stays after an infinity, so the next step may have one, too.


import math


def scaled_step(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale
    return weight - sum(gradients) / scale, scale

import math


def scaled_step(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale

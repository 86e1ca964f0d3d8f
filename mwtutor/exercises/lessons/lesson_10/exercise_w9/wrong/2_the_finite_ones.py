# misconception: a worker with an infinity is left out
# says: The finite gradients are applied, although another worker's is not finite.


import math


def scaled_step(weight, gradients, scale):
    finite = [one for one in gradients if math.isfinite(one)]
    smaller = scale / 2 if len(finite) < len(gradients) else scale
    return weight - sum(finite) / scale, smaller

# == right: a tuple
import math


def _of(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale


def scaled_step(weight, gradients, scale):
    return tuple(_of(weight, gradients, scale))


# == right: an array
import numpy as np


import math


def _of(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale


def scaled_step(weight, gradients, scale):
    return np.array(_of(weight, gradients, scale))


# == wrong: a constant
import math


def scaled_step(weight, gradients, scale):
    return (0.25, 1024.0)


# == wrong: one case only
import math


def scaled_step(weight, gradients, scale):
    if (
        weight,
        gradients,
        scale,
    ) == (
        1.0,
        [256.0, 512.0],
        1024.0,
    ):
        return (0.25, 1024.0)
    return 0


# == wrong: ignores scale
import math


def _of(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale


def scaled_step(weight, gradients, scale):
    scale = 1024.0
    return _of(weight, gradients, scale)


# == wrong: swaps weight and scale
import math


def _of(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale


def scaled_step(weight, gradients, scale):
    return _of(scale, gradients, weight)


# == right: looks at the sum
import math


def scaled_step(weight, gradients, scale):
    total = sum(gradients) / scale
    if math.isfinite(total):
        return [weight - total, scale]
    return [weight, scale * 0.5]


# == wrong: the mean
import math


def scaled_step(weight, gradients, scale):
    if not all(map(math.isfinite, gradients)):
        return weight, scale / 2
    return weight - sum(gradients) / len(gradients) / scale, scale


# == wrong: nan is forgotten
import math


def scaled_step(weight, gradients, scale):
    if math.inf in map(abs, gradients):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale


# == wrong: looks only at the first worker
import math


def scaled_step(weight, gradients, scale):
    if not math.isfinite(gradients[0]):
        return weight, scale / 2
    return weight - sum(gradients) / scale, scale


# == wrong: scale integer
import math


def scaled_step(weight, gradients, scale):
    if all(map(math.isfinite, gradients)):
        return weight - sum(gradients) / scale, scale
    return weight, scale // 2

# == right: a tuple
def _of(weights, gradients, rate, inside):
    if inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients)]


def after_step(weights, gradients, rate, inside):
    return tuple(_of(weights, gradients, rate, inside))


# == right: an array
import numpy as np


def _of(weights, gradients, rate, inside):
    if inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients)]


def after_step(weights, gradients, rate, inside):
    return np.array(_of(weights, gradients, rate, inside))


# == wrong: a constant
def after_step(weights, gradients, rate, inside):
    return [-1.0, -1.0]


# == wrong: one case only
def after_step(weights, gradients, rate, inside):
    if (
        weights,
        gradients,
        rate,
        inside,
    ) == (
        [1.0, 1.0],
        [0.5, 1.5],
        1.0,
        True,
    ):
        return [-1.0, -1.0]
    return 0


# == wrong: ignores rate
def _of(weights, gradients, rate, inside):
    if inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients)]


def after_step(weights, gradients, rate, inside):
    rate = 1.0
    return _of(weights, gradients, rate, inside)


# == wrong: ignores inside
def _of(weights, gradients, rate, inside):
    if inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients)]


def after_step(weights, gradients, rate, inside):
    inside = True
    return _of(weights, gradients, rate, inside)


# == wrong: swaps weights and gradients
def _of(weights, gradients, rate, inside):
    if inside:
        gradients = [sum(gradients)] * len(gradients)
    return [weight - rate * own for weight, own in zip(weights, gradients)]


def after_step(weights, gradients, rate, inside):
    return _of(gradients, weights, rate, inside)


# == right: a loop
def after_step(weights, gradients, rate, inside):
    after = []
    for at, weight in enumerate(weights):
        used = sum(gradients) if inside else gradients[at]
        after.append(weight - used * rate)
    return after


# == wrong: the mean inside
def after_step(weights, gradients, rate, inside):
    own = [sum(gradients) / len(gradients)] * len(gradients) if inside else gradients
    return [weight - rate * one for weight, one in zip(weights, own)]


# == wrong: adds
def after_step(weights, gradients, rate, inside):
    own = [sum(gradients)] * len(gradients) if inside else gradients
    return [weight + rate * one for weight, one in zip(weights, own)]

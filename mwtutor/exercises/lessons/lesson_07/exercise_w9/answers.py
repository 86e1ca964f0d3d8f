# == right: a tuple
def _of(losses):
    rows = sum(map(len, losses))
    return [sum(own) / rows for own in losses]


def parts_of_the_mean(losses):
    return tuple(_of(losses))


# == right: a generator
def _of(losses):
    rows = sum(map(len, losses))
    return [sum(own) / rows for own in losses]


def parts_of_the_mean(losses):
    yield from _of(losses)


# == right: an array
import numpy as np


def _of(losses):
    rows = sum(map(len, losses))
    return [sum(own) / rows for own in losses]


def parts_of_the_mean(losses):
    return np.array(_of(losses))


# == wrong: a constant
def parts_of_the_mean(losses):
    return [1.3333333333333333, 1.6666666666666667]


# == wrong: one case only
def parts_of_the_mean(losses):
    if (losses,) == ([[1.0, 3.0], [5.0]],):
        return [1.3333333333333333, 1.6666666666666667]
    return 0


# == wrong: the mean for each
def parts_of_the_mean(losses):
    rows = sum(map(len, losses))
    return [sum(map(sum, losses)) / rows for own in losses]


# == wrong: a share of the mean
def parts_of_the_mean(losses):
    rows = sum(map(len, losses))
    return [sum(map(sum, losses)) / rows / len(losses) for own in losses]


# == wrong: two replicas
def parts_of_the_mean(losses):
    return [sum(own) / (2 * max(1, len(own))) for own in losses]


# == wrong: the number of rows
def parts_of_the_mean(losses):
    return [len(own) for own in losses]

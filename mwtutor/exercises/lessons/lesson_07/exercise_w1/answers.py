# == right: a tuple
def _of(gpus):
    workers = len(gpus)
    return [workers * max(1, own) for own in gpus]


def believed(gpus):
    return tuple(_of(gpus))


# == right: a generator
def _of(gpus):
    workers = len(gpus)
    return [workers * max(1, own) for own in gpus]


def believed(gpus):
    yield from _of(gpus)


# == right: an array
import numpy as np


def _of(gpus):
    workers = len(gpus)
    return [workers * max(1, own) for own in gpus]


def believed(gpus):
    return np.array(_of(gpus))


# == wrong: a constant
def believed(gpus):
    return [2, 4]


# == wrong: one case only
def believed(gpus):
    if (gpus,) == ([1, 2],):
        return [2, 4]
    return 0


# == wrong: the mean
def believed(gpus):
    return [sum(gpus)] * len(gpus)


# == wrong: two workers
def believed(gpus):
    return [2 * max(1, own) for own in gpus]


# == wrong: one more
def believed(gpus):
    return [len(gpus) * (own + 1) for own in gpus]


# == wrong: the first worker's number
def believed(gpus):
    return [len(gpus) * max(1, gpus[0])] * len(gpus)

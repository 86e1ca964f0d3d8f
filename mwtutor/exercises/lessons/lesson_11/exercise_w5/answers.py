# == right: a tuple
def _of(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found


def stale_weights(start, rate, read):
    return tuple(_of(start, rate, read))


# == right: a generator
def _of(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found


def stale_weights(start, rate, read):
    yield from _of(start, rate, read)


# == right: an array
import numpy as np


def _of(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found


def stale_weights(start, rate, read):
    return np.array(_of(start, rate, read))


# == wrong: a constant
def stale_weights(start, rate, read):
    return [5.0, 4.0, 3.0]


# == wrong: one case only
def stale_weights(start, rate, read):
    if (
        start,
        rate,
        read,
    ) == (
        5.0,
        0.2,
        [0, 0],
    ):
        return [5.0, 4.0, 3.0]
    return 0


# == wrong: ignores rate
def _of(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found


def stale_weights(start, rate, read):
    rate = 0.2
    return _of(start, rate, read)


# == wrong: ignores start
def _of(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found


def stale_weights(start, rate, read):
    start = 5.0
    return _of(start, rate, read)


# == wrong: swaps start and rate
def _of(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found


def stale_weights(start, rate, read):
    return _of(rate, start, read)


# == wrong: without the first
def stale_weights(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found[1:]


# == wrong: the last weight
def stale_weights(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] - rate * found[version])
    return found[-1]


# == wrong: adds
def stale_weights(start, rate, read):
    found = [start]
    for version in read:
        found.append(found[-1] + rate * found[version])
    return found

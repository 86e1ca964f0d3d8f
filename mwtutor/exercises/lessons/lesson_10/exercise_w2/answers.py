# == right: NumPy's numbers
import numpy as np


def _of(size, rates):
    bits = 8 * size
    return 1000 * bits / min(rates)


def milliseconds(size, rates):
    return np.asarray(_of(size, rates))[()]


# == wrong: a constant
def milliseconds(size, rates):
    return 376.4


# == wrong: one case only
def milliseconds(size, rates):
    if (
        size,
        rates,
    ) == (
        941000,
        [20000000.0, 20000000.0],
    ):
        return 376.4
    return 0


# == wrong: ignores size
def _of(size, rates):
    bits = 8 * size
    return 1000 * bits / min(rates)


def milliseconds(size, rates):
    size = 941_000
    return _of(size, rates)


# == wrong: ignores rates
def _of(size, rates):
    bits = 8 * size
    return 1000 * bits / min(rates)


def milliseconds(size, rates):
    rates = [20e6]
    return _of(size, rates)


# == right: the longest of the times
def milliseconds(size, rates):
    return max(8 * size / rate for rate in rates) * 1e3


# == right: one expression
def milliseconds(size, rates):
    return 8000 * size / sorted(rates)[0]


# == wrong: seconds
def milliseconds(size, rates):
    return 8 * size / min(rates)


# == wrong: the first link
def milliseconds(size, rates):
    return 8000 * size / rates[0]


# == wrong: the sum of both links
def milliseconds(size, rates):
    return 8000 * size / sum(rates)

# == right: NumPy's numbers
import numpy as np


def _of(size, rates):
    bits = 8 * size
    return 1000 * bits / min(rates)


def exchange_ms(size, rates):
    return np.asarray(_of(size, rates))[()]


# == wrong: a constant
def exchange_ms(size, rates):
    return 376.4


# == wrong: one case only
def exchange_ms(size, rates):
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


def exchange_ms(size, rates):
    size = 941_000
    return _of(size, rates)


# == wrong: ignores rates
def _of(size, rates):
    bits = 8 * size
    return 1000 * bits / min(rates)


def exchange_ms(size, rates):
    rates = [20e6]
    return _of(size, rates)


# == right: the longest of the times
def exchange_ms(size, rates):
    return max(8 * size / rate for rate in rates) * 1e3


# == right: one expression
def exchange_ms(size, rates):
    return 8000 * size / sorted(rates)[0]


# == wrong: seconds
def exchange_ms(size, rates):
    return 8 * size / min(rates)


# == wrong: the first link
def exchange_ms(size, rates):
    return 8000 * size / rates[0]


# == wrong: the sum of both links
def exchange_ms(size, rates):
    return 8000 * size / sum(rates)

# == right: the steps of the ring, one by one
def exchange_seconds(machines, size, rate):
    chunk = size * 8 / machines
    return sum(chunk / rate for _ in range(2 * (machines - 1)))


# == right: a number of NumPy
import numpy as np


def exchange_seconds(machines, size, rate):
    return np.float64(16 * size / rate) * (1 - 1 / machines)


# == right: a Decimal on the way
from decimal import Decimal


def exchange_seconds(machines, size, rate):
    return float(Decimal(2) * (machines - 1) / machines * size * 8 / Decimal(rate))


# == wrong: bytes taken for bits
def exchange_seconds(machines, size, rate):
    return 2 * (machines - 1) / machines * size / rate


# == wrong: every machine sends everything twice
def exchange_seconds(machines, size, rate):
    return 2 * size * 8 / rate


# == wrong: once around the ring
def exchange_seconds(machines, size, rate):
    return (machines - 1) / machines * size * 8 / rate


# == wrong: not divided by the machines
def exchange_seconds(machines, size, rate):
    return 2 * (machines - 1) * size * 8 / rate


# == wrong: 25 MB whatever is asked for
def exchange_seconds(machines, size, rate):
    return 2 * (machines - 1) / machines * 25e6 * 8 / rate


# == wrong: 100 Mbit/s whatever is asked for
def exchange_seconds(machines, size, rate):
    return 2 * (machines - 1) / machines * size * 8 / 1e8


# == wrong: twice as long
def exchange_seconds(machines, size, rate):
    return 4 * (machines - 1) / machines * size * 8 / rate


# == wrong: milliseconds
def exchange_seconds(machines, size, rate):
    return 2 * (machines - 1) / machines * size * 8 / rate * 1000

# == right: a sum in a loop, and lambdas
worker_0_bytes = lambda w, m: sum(m for _ in range(1, w))
ring_bytes = lambda workers, model: 2 * model - 2 * model / workers


# == right: fractions
from fractions import Fraction


def worker_0_bytes(workers, model):
    return Fraction(model * (workers - 1))


def ring_bytes(workers, model):
    return Fraction(2 * (workers - 1) * model, workers)


# == right: NumPy numbers, and the bytes of each step added up
import numpy as np


def worker_0_bytes(workers, model):
    return np.int64((workers - 1) * model)


def ring_bytes(workers, model):
    chunk = np.float64(model) / workers
    sent = 0.0
    for _ in range(2):
        for _ in range(workers - 1):
            sent += chunk
    return sent


# == wrong: worker 0 sends one gradient only
def worker_0_bytes(workers, model):
    return model


def ring_bytes(workers, model):
    return 2 * (workers - 1) * model / workers


# == wrong: worker 0 also sends to itself
def worker_0_bytes(workers, model):
    return workers * model


def ring_bytes(workers, model):
    return 2 * (workers - 1) * model / workers


# == wrong: the ring makes one round only
def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return (workers - 1) * model / workers


# == wrong: the ring sends every chunk twice
def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return 2 * model


# == wrong: the ring sends one gradient
def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return model


# == wrong: the two functions are exchanged, and whole bytes
def worker_0_bytes(workers, model):
    return 2 * (workers - 1) * model // workers


def ring_bytes(workers, model):
    return (workers - 1) * model


# == wrong: the number of workers is added
def worker_0_bytes(workers, model):
    return (workers - 1) * model


def ring_bytes(workers, model):
    return 2 * (workers - 1) * (model // workers) // 2 * 2 + workers

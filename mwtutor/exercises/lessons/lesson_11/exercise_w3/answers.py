# == right: a tuple
def _of(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (workers if mirrored else 1)


def totals(epochs, steps, batch, workers, mirrored):
    return tuple(_of(epochs, steps, batch, workers, mirrored))


# == right: an array
import numpy as np


def _of(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (workers if mirrored else 1)


def totals(epochs, steps, batch, workers, mirrored):
    return np.array(_of(epochs, steps, batch, workers, mirrored))


# == wrong: a constant
def totals(epochs, steps, batch, workers, mirrored):
    return (120, 3840)


# == wrong: one case only
def totals(epochs, steps, batch, workers, mirrored):
    if (
        epochs,
        steps,
        batch,
        workers,
        mirrored,
    ) == (
        3,
        40,
        32,
        2,
        False,
    ):
        return (120, 3840)
    return 0


# == wrong: ignores mirrored
def _of(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (workers if mirrored else 1)


def totals(epochs, steps, batch, workers, mirrored):
    mirrored = True
    return _of(epochs, steps, batch, workers, mirrored)


# == wrong: ignores workers
def _of(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (workers if mirrored else 1)


def totals(epochs, steps, batch, workers, mirrored):
    workers = 2
    return _of(epochs, steps, batch, workers, mirrored)


# == wrong: ignores epochs
def _of(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (workers if mirrored else 1)


def totals(epochs, steps, batch, workers, mirrored):
    epochs = 1
    return _of(epochs, steps, batch, workers, mirrored)


# == right: a condition
def totals(epochs, steps, batch, workers, mirrored):
    each = batch
    if mirrored:
        each *= workers
    return [epochs * steps, each * epochs * steps]


# == wrong: the other way
def totals(epochs, steps, batch, workers, mirrored):
    updates = epochs * steps
    return updates, updates * batch * (1 if mirrored else workers)

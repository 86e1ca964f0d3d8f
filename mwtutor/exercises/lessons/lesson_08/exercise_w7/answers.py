# == right: a tuple
def _of(rows, per_worker, workers):
    batch = per_worker * workers
    return batch, -(-rows // batch)


def one_process(rows, per_worker, workers):
    return tuple(_of(rows, per_worker, workers))


# == right: an array
import numpy as np


def _of(rows, per_worker, workers):
    batch = per_worker * workers
    return batch, -(-rows // batch)


def one_process(rows, per_worker, workers):
    return np.array(_of(rows, per_worker, workers))


# == wrong: a constant
def one_process(rows, per_worker, workers):
    return (64, 10)


# == wrong: one case only
def one_process(rows, per_worker, workers):
    if (
        rows,
        per_worker,
        workers,
    ) == (
        640,
        32,
        2,
    ):
        return (64, 10)
    return 0


# == wrong: ignores workers
def _of(rows, per_worker, workers):
    batch = per_worker * workers
    return batch, -(-rows // batch)


def one_process(rows, per_worker, workers):
    workers = 2
    return _of(rows, per_worker, workers)


# == wrong: ignores rows
def _of(rows, per_worker, workers):
    batch = per_worker * workers
    return batch, -(-rows // batch)


def one_process(rows, per_worker, workers):
    rows = 640
    return _of(rows, per_worker, workers)


# == right: math.ceil
import math


def one_process(rows, per_worker, workers):
    whole = workers * per_worker
    return [whole, math.ceil(rows / whole)]


# == wrong: always one more step
def one_process(rows, per_worker, workers):
    batch = per_worker * workers
    return batch, rows // batch + 1


# == wrong: rows of each worker
def one_process(rows, per_worker, workers):
    return per_worker, -(-rows // (per_worker * workers))


# == wrong: swapped results
def one_process(rows, per_worker, workers):
    batch = per_worker * workers
    return -(-rows // batch), batch


# == wrong: ceil of rows per worker first
def one_process(rows, per_worker, workers):
    import math

    return per_worker * workers, math.ceil((rows // workers) / per_worker)

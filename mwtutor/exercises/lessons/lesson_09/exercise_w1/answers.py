# == right: a tuple
def _of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]


def rows_of(update, batch, rows):
    return tuple(_of(update, batch, rows))


# == right: a generator
def _of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]


def rows_of(update, batch, rows):
    yield from _of(update, batch, rows)


# == right: an array
import numpy as np


def _of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]


def rows_of(update, batch, rows):
    return np.array(_of(update, batch, rows))


# == wrong: a constant
def rows_of(update, batch, rows):
    return [2, 3, 4, 5]


# == wrong: one case only
def rows_of(update, batch, rows):
    if (
        update,
        batch,
        rows,
    ) == (
        3,
        4,
        10,
    ):
        return [2, 3, 4, 5]
    return 0


# == wrong: ignores update
def _of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]


def rows_of(update, batch, rows):
    update = 0
    return _of(update, batch, rows)


# == wrong: ignores rows
def _of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]


def rows_of(update, batch, rows):
    rows = 1440
    return _of(update, batch, rows)


# == wrong: swaps batch and rows
def _of(update, batch, rows):
    first = update * batch
    return [(first + number) % rows for number in range(batch)]


def rows_of(update, batch, rows):
    return _of(update, rows, batch)


# == wrong: only the first row
def rows_of(update, batch, rows):
    return update * batch % rows


# == wrong: from 1
def rows_of(update, batch, rows):
    return [(update * batch + number) % rows + 1 for number in range(batch)]


# == wrong: begins again only once
def rows_of(update, batch, rows):
    first = update * batch % rows
    numbers = range(first, first + batch)
    return [number if number < rows else number - rows for number in numbers]

# == right: NumPy's numbers
import numpy as np


def _of(rows, seconds_per_row, exchange):
    computing = max(rows) * seconds_per_row
    return computing + exchange


def step_seconds(rows, seconds_per_row, exchange):
    return np.asarray(_of(rows, seconds_per_row, exchange))[()]


# == wrong: a constant
def step_seconds(rows, seconds_per_row, exchange):
    return 0.328


# == wrong: one case only
def step_seconds(rows, seconds_per_row, exchange):
    if (
        rows,
        seconds_per_row,
        exchange,
    ) == (
        [64, 64],
        0.002,
        0.2,
    ):
        return 0.328
    return 0


# == wrong: ignores exchange
def _of(rows, seconds_per_row, exchange):
    computing = max(rows) * seconds_per_row
    return computing + exchange


def step_seconds(rows, seconds_per_row, exchange):
    exchange = 0.2
    return _of(rows, seconds_per_row, exchange)


# == wrong: ignores seconds_per_row
def _of(rows, seconds_per_row, exchange):
    computing = max(rows) * seconds_per_row
    return computing + exchange


def step_seconds(rows, seconds_per_row, exchange):
    seconds_per_row = 0.002
    return _of(rows, seconds_per_row, exchange)


# == wrong: swaps seconds_per_row and exchange
def _of(rows, seconds_per_row, exchange):
    computing = max(rows) * seconds_per_row
    return computing + exchange


def step_seconds(rows, seconds_per_row, exchange):
    return _of(rows, exchange, seconds_per_row)


# == right: sorted
def step_seconds(rows, seconds_per_row, exchange):
    return exchange + sorted(rows)[-1] * seconds_per_row


# == right: each worker's time
def step_seconds(rows, seconds_per_row, exchange):
    times = [own * seconds_per_row + exchange for own in rows]
    return max(times)


# == wrong: the fastest worker
def step_seconds(rows, seconds_per_row, exchange):
    return min(rows) * seconds_per_row + exchange


# == wrong: computing only
def step_seconds(rows, seconds_per_row, exchange):
    return max(rows) * seconds_per_row


# == wrong: two workers
def step_seconds(rows, seconds_per_row, exchange):
    return max(rows[0], rows[-1]) * seconds_per_row + exchange

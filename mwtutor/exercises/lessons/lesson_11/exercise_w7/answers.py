# == right: NumPy's numbers
import numpy as np


def _of(seconds, batch, synchronous):
    if synchronous:
        return len(seconds) * batch / max(seconds)
    return sum(batch / own for own in seconds)


def rows_per_second(seconds, batch, synchronous):
    return np.asarray(_of(seconds, batch, synchronous))[()]


# == wrong: a constant
def rows_per_second(seconds, batch, synchronous):
    return 480.0


# == wrong: one case only
def rows_per_second(seconds, batch, synchronous):
    if (
        seconds,
        batch,
        synchronous,
    ) == (
        [0.1, 0.2],
        32,
        False,
    ):
        return 480.0
    return 0


# == wrong: ignores batch
def _of(seconds, batch, synchronous):
    if synchronous:
        return len(seconds) * batch / max(seconds)
    return sum(batch / own for own in seconds)


def rows_per_second(seconds, batch, synchronous):
    batch = 32
    return _of(seconds, batch, synchronous)


# == wrong: ignores synchronous
def _of(seconds, batch, synchronous):
    if synchronous:
        return len(seconds) * batch / max(seconds)
    return sum(batch / own for own in seconds)


def rows_per_second(seconds, batch, synchronous):
    synchronous = True
    return _of(seconds, batch, synchronous)


# == right: with the slowest pace
def rows_per_second(seconds, batch, synchronous):
    paces = [1 / own for own in seconds]
    return batch * (min(paces) * len(paces) if synchronous else sum(paces))


# == right: NumPy
import numpy as np


def rows_per_second(seconds, batch, synchronous):
    times = np.full(len(seconds), max(seconds)) if synchronous else np.array(seconds)
    return (batch / times).sum()


# == wrong: of one worker
def rows_per_second(seconds, batch, synchronous):
    return batch / max(seconds) if synchronous else batch / min(seconds)


# == wrong: updates
def rows_per_second(seconds, batch, synchronous):
    return 1 / max(seconds) if synchronous else sum(1 / own for own in seconds)

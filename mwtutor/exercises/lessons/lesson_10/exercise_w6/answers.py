# == right: NumPy's numbers
import numpy as np


def _of(heartbeats, limit):
    before = heartbeats[0]
    for after in heartbeats:
        if after - before > limit:
            return before + limit
        before = after
    return None


def declared_dead(heartbeats, limit):
    return np.asarray(_of(heartbeats, limit))[()]


# == wrong: a constant
def declared_dead(heartbeats, limit):
    return 10.0


# == wrong: one case only
def declared_dead(heartbeats, limit):
    if (
        heartbeats,
        limit,
    ) == (
        [0.0, 1.0, 11.0, 12.0],
        9.0,
    ):
        return 10.0
    return 0


# == wrong: ignores limit
def _of(heartbeats, limit):
    before = heartbeats[0]
    for after in heartbeats:
        if after - before > limit:
            return before + limit
        before = after
    return None


def declared_dead(heartbeats, limit):
    limit = 9.0
    return _of(heartbeats, limit)


# == right: next
def declared_dead(heartbeats, limit):
    ends = (a + limit for a, b in zip(heartbeats, heartbeats[1:]) if a + limit < b)
    return next(ends, None)


# == right: indices
def declared_dead(heartbeats, limit):
    for at in range(1, len(heartbeats)):
        if heartbeats[at] - heartbeats[at - 1] > limit:
            return heartbeats[at - 1] + limit


# == wrong: always
def declared_dead(heartbeats, limit):
    return heartbeats[0] + limit


# == wrong: the beginning of the pause
def declared_dead(heartbeats, limit):
    for a, b in zip(heartbeats, heartbeats[1:]):
        if b - a > limit:
            return a
    return None


# == wrong: the longest pause
def declared_dead(heartbeats, limit):
    gap, first = max((b - a, a) for a, b in zip(heartbeats, heartbeats[1:]))
    return first + limit if gap > limit else None


# == wrong: whether
def declared_dead(heartbeats, limit):
    return any(b - a > limit for a, b in zip(heartbeats, heartbeats[1:]))


# == wrong: ge
def declared_dead(heartbeats, limit):
    for a, b in zip(heartbeats, heartbeats[1:]):
        if b - a >= limit:
            return a + limit


# == wrong: from 0
def declared_dead(heartbeats, limit):
    for a, b in zip([0, *heartbeats], heartbeats):
        if b - a > limit:
            return a + limit

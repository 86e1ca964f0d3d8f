# == right: NumPy's numbers
import numpy as np


def _of(kind, alone, together, machines):
    ratio = alone / together
    return ratio if kind == "weak" else ratio / machines


def share_used(kind, alone, together, machines):
    return np.asarray(_of(kind, alone, together, machines))[()]


# == wrong: a constant
def share_used(kind, alone, together, machines):
    return 0.078125


# == wrong: one case only
def share_used(kind, alone, together, machines):
    if (
        kind,
        alone,
        together,
        machines,
    ) == (
        "strong",
        0.5,
        0.8,
        8,
    ):
        return 0.078125
    return 0


# == wrong: ignores machines
def _of(kind, alone, together, machines):
    ratio = alone / together
    return ratio if kind == "weak" else ratio / machines


def share_used(kind, alone, together, machines):
    machines = 2
    return _of(kind, alone, together, machines)


# == wrong: ignores kind
def _of(kind, alone, together, machines):
    ratio = alone / together
    return ratio if kind == "weak" else ratio / machines


def share_used(kind, alone, together, machines):
    kind = "strong"
    return _of(kind, alone, together, machines)


# == wrong: swaps alone and together
def _of(kind, alone, together, machines):
    ratio = alone / together
    return ratio if kind == "weak" else ratio / machines


def share_used(kind, alone, together, machines):
    return _of(kind, together, alone, machines)


# == right: by rows a second
def share_used(kind, alone, together, machines):
    rows = machines if kind == "weak" else 1
    return rows / together * alone / machines


# == right: a dictionary
def share_used(kind, alone, together, machines):
    return {"weak": 1, "strong": 1 / machines}[kind] * alone / together


# == wrong: the speedup of both
def share_used(kind, alone, together, machines):
    return alone / together * (machines if kind == "weak" else 1)


# == wrong: per cent
def share_used(kind, alone, together, machines):
    return 100 * alone / together / (1 if kind == "weak" else machines)


# == wrong: at most 1
def share_used(kind, alone, together, machines):
    return min(1, alone / together / (1 if kind == "weak" else machines))

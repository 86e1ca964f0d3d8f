# == right: a tuple
def _of(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return names if max_to_keep is None else names[-max_to_keep:]


def kept_names(saves, max_to_keep):
    return tuple(_of(saves, max_to_keep))


# == right: a generator
def _of(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return names if max_to_keep is None else names[-max_to_keep:]


def kept_names(saves, max_to_keep):
    yield from _of(saves, max_to_keep)


# == right: an array
import numpy as np


def _of(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return names if max_to_keep is None else names[-max_to_keep:]


def kept_names(saves, max_to_keep):
    return np.array(_of(saves, max_to_keep))


# == wrong: a constant
def kept_names(saves, max_to_keep):
    return ["ckpt-2", "ckpt-3"]


# == wrong: one case only
def kept_names(saves, max_to_keep):
    if (
        saves,
        max_to_keep,
    ) == (
        3,
        2,
    ):
        return ["ckpt-2", "ckpt-3"]
    return 0


# == wrong: ignores max_to_keep
def _of(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return names if max_to_keep is None else names[-max_to_keep:]


def kept_names(saves, max_to_keep):
    max_to_keep = 2
    return _of(saves, max_to_keep)


# == wrong: swaps saves and max_to_keep
def kept_names(saves, max_to_keep):
    saves, max_to_keep = max_to_keep or saves, saves
    return [f"ckpt-{number}" for number in range(1, saves + 1)][-max_to_keep:]


# == wrong: newest first
def kept_names(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return (names if max_to_keep is None else names[-max_to_keep:])[::-1]


# == wrong: numbers
def kept_names(saves, max_to_keep):
    return (
        list(range(1, saves + 1))
        if max_to_keep is None
        else list(range(1, saves + 1))[-max_to_keep:]
    )


# == wrong: one too many
def kept_names(saves, max_to_keep):
    names = [f"ckpt-{number}" for number in range(1, saves + 1)]
    return names if max_to_keep is None else names[-max_to_keep - 1 :]


# == right: by the first number
def kept_names(saves, max_to_keep):
    first = 1 if max_to_keep is None else max(1, saves - max_to_keep + 1)
    return [f"ckpt-{number}" for number in range(first, saves + 1)]

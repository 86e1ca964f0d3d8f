# == right: NumPy's numbers
import numpy as np


def _of(updates, save_freq, grace, needed):
    if needed <= grace:
        return 0
    return updates % save_freq


def lost(updates, save_freq, grace, needed):
    return np.asarray(_of(updates, save_freq, grace, needed))[()]


# == wrong: a constant
def lost(updates, save_freq, grace, needed):
    return 10


# == wrong: one case only
def lost(updates, save_freq, grace, needed):
    if (
        updates,
        save_freq,
        grace,
        needed,
    ) == (
        70,
        30,
        1.0,
        2.0,
    ):
        return 10
    return 0


# == wrong: ignores save_freq
def _of(updates, save_freq, grace, needed):
    if needed <= grace:
        return 0
    return updates % save_freq


def lost(updates, save_freq, grace, needed):
    save_freq = 30
    return _of(updates, save_freq, grace, needed)


# == wrong: ignores updates
def _of(updates, save_freq, grace, needed):
    if needed <= grace:
        return 0
    return updates % save_freq


def lost(updates, save_freq, grace, needed):
    updates = 70
    return _of(updates, save_freq, grace, needed)


# == wrong: ignores needed
def _of(updates, save_freq, grace, needed):
    if needed <= grace:
        return 0
    return updates % save_freq


def lost(updates, save_freq, grace, needed):
    needed = 2.0
    return _of(updates, save_freq, grace, needed)


# == wrong: swaps grace and needed
def _of(updates, save_freq, grace, needed):
    if needed <= grace:
        return 0
    return updates % save_freq


def lost(updates, save_freq, grace, needed):
    return _of(updates, save_freq, needed, grace)


# == right: a product
def lost(updates, save_freq, grace, needed):
    return (updates - updates // save_freq * save_freq) * (grace < needed)


# == right: a float
def lost(updates, save_freq, grace, needed):
    return 0.0 if grace - needed >= 0 else float(updates % save_freq)


# == wrong: what is left until the next backup
def lost(updates, save_freq, grace, needed):
    return 0 if needed <= grace else save_freq - updates % save_freq

# == right: a tuple
def _of(updates, steps_per_epoch):
    epochs, lost = divmod(updates, steps_per_epoch)
    return list(range(1, epochs + 1)), lost


def left_by_kill(updates, steps_per_epoch):
    return tuple(_of(updates, steps_per_epoch))


# == wrong: a constant
def left_by_kill(updates, steps_per_epoch):
    return ([1], 30)


# == wrong: one case only
def left_by_kill(updates, steps_per_epoch):
    if (
        updates,
        steps_per_epoch,
    ) == (
        70,
        40,
    ):
        return ([1], 30)
    return 0


# == wrong: ignores steps_per_epoch
def _of(updates, steps_per_epoch):
    epochs, lost = divmod(updates, steps_per_epoch)
    return list(range(1, epochs + 1)), lost


def left_by_kill(updates, steps_per_epoch):
    steps_per_epoch = 40
    return _of(updates, steps_per_epoch)


# == wrong: swaps updates and steps_per_epoch
def _of(updates, steps_per_epoch):
    epochs, lost = divmod(updates, steps_per_epoch)
    return list(range(1, epochs + 1)), lost


def left_by_kill(updates, steps_per_epoch):
    return _of(steps_per_epoch, updates)


# == right: counted one by one
def left_by_kill(updates, steps_per_epoch):
    kept = []
    while updates >= steps_per_epoch:
        updates -= steps_per_epoch
        kept.append(len(kept) + 1)
    return kept, updates


# == right: an array
import numpy as np


def left_by_kill(updates, steps_per_epoch):
    return np.arange(1, updates // steps_per_epoch + 1), np.int64(updates % steps_per_epoch)


# == wrong: the number of files
def left_by_kill(updates, steps_per_epoch):
    return updates // steps_per_epoch, updates % steps_per_epoch


# == wrong: names
def left_by_kill(updates, steps_per_epoch):
    return [f"kept-{n + 1}" for n in range(updates // steps_per_epoch)], updates % steps_per_epoch

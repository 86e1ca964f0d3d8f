# == right: NumPy's numbers
import numpy as np


def _of(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return killed_after // every * every


def restored_updates(killed_after, save_freq, steps_per_epoch):
    return np.asarray(_of(killed_after, save_freq, steps_per_epoch))[()]


# == wrong: a constant
def restored_updates(killed_after, save_freq, steps_per_epoch):
    return 60


# == wrong: one case only
def restored_updates(killed_after, save_freq, steps_per_epoch):
    if (
        killed_after,
        save_freq,
        steps_per_epoch,
    ) == (
        70,
        30,
        40,
    ):
        return 60
    return 0


# == wrong: ignores killed_after
def _of(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return killed_after // every * every


def restored_updates(killed_after, save_freq, steps_per_epoch):
    killed_after = 70
    return _of(killed_after, save_freq, steps_per_epoch)


# == wrong: ignores steps_per_epoch
def _of(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return killed_after // every * every


def restored_updates(killed_after, save_freq, steps_per_epoch):
    steps_per_epoch = 40
    return _of(killed_after, save_freq, steps_per_epoch)


# == right: a remainder
def restored_updates(killed_after, save_freq, steps_per_epoch):
    if save_freq == "epoch":
        save_freq = steps_per_epoch
    return float(killed_after - killed_after % save_freq)


# == right: a loop
def restored_updates(killed_after, save_freq, steps_per_epoch):
    step = {"epoch": steps_per_epoch}.get(save_freq, save_freq)
    return max(range(0, killed_after + 1, step))


# == wrong: how many are lost
def restored_updates(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return killed_after % every


# == wrong: the number of the backup
def restored_updates(killed_after, save_freq, steps_per_epoch):
    every = steps_per_epoch if save_freq == "epoch" else save_freq
    return killed_after // every


# == wrong: from the beginning
def restored_updates(killed_after, save_freq, steps_per_epoch):
    return 0


# == wrong: both epoch and freq
def restored_updates(killed_after, save_freq, steps_per_epoch):
    e = killed_after // steps_per_epoch * steps_per_epoch
    if save_freq == "epoch":
        return e
    return max(e, killed_after // save_freq * save_freq)

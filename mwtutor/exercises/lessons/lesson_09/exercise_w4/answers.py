# == right: NumPy's numbers
import numpy as np


def _of(backup, steps_per_epoch, epochs, keras):
    if keras == 2:
        return epochs * steps_per_epoch
    return backup + (epochs - backup // steps_per_epoch) * steps_per_epoch


def at_the_end(backup, steps_per_epoch, epochs, keras):
    return np.asarray(_of(backup, steps_per_epoch, epochs, keras))[()]


# == wrong: a constant
def at_the_end(backup, steps_per_epoch, epochs, keras):
    return 140


# == wrong: one case only
def at_the_end(backup, steps_per_epoch, epochs, keras):
    if (
        backup,
        steps_per_epoch,
        epochs,
        keras,
    ) == (
        60,
        40,
        3,
        3,
    ):
        return 140
    return 0


# == wrong: ignores keras
def _of(backup, steps_per_epoch, epochs, keras):
    if keras == 2:
        return epochs * steps_per_epoch
    return backup + (epochs - backup // steps_per_epoch) * steps_per_epoch


def at_the_end(backup, steps_per_epoch, epochs, keras):
    keras = 3
    return _of(backup, steps_per_epoch, epochs, keras)


# == wrong: ignores backup
def _of(backup, steps_per_epoch, epochs, keras):
    if keras == 2:
        return epochs * steps_per_epoch
    return backup + (epochs - backup // steps_per_epoch) * steps_per_epoch


def at_the_end(backup, steps_per_epoch, epochs, keras):
    backup = 60
    return _of(backup, steps_per_epoch, epochs, keras)


# == wrong: ignores epochs
def _of(backup, steps_per_epoch, epochs, keras):
    if keras == 2:
        return epochs * steps_per_epoch
    return backup + (epochs - backup // steps_per_epoch) * steps_per_epoch


def at_the_end(backup, steps_per_epoch, epochs, keras):
    epochs = 3
    return _of(backup, steps_per_epoch, epochs, keras)


# == wrong: swaps steps_per_epoch and epochs
def _of(backup, steps_per_epoch, epochs, keras):
    if keras == 2:
        return epochs * steps_per_epoch
    return backup + (epochs - backup // steps_per_epoch) * steps_per_epoch


def at_the_end(backup, steps_per_epoch, epochs, keras):
    return _of(backup, epochs, steps_per_epoch, keras)


# == right: the part that is repeated
def at_the_end(backup, steps_per_epoch, epochs, keras):
    return epochs * steps_per_epoch + (keras == 3) * (backup % steps_per_epoch)


# == right: a dictionary
def at_the_end(backup, steps_per_epoch, epochs, keras):
    begun = backup - backup // steps_per_epoch * steps_per_epoch
    return epochs * steps_per_epoch + {2: 0, 3: begun}[keras]


# == wrong: the updates made by both attempts
def at_the_end(backup, steps_per_epoch, epochs, keras):
    return backup + epochs * steps_per_epoch - backup // steps_per_epoch

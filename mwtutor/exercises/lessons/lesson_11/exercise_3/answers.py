# == right: a join after every five
# - def train_bounded(steps):
# -     """Do that many steps, and return what `schedule` returns for each."""
# + def train_bounded(steps):


# == right: it waits for the step before the last two
# %%mw
from collections import deque


def train_bounded(steps):
    remote, open_steps = [], deque()
    while len(remote) < steps:
        if len(open_steps) == 3:
            open_steps.popleft().fetch()
        remote.append(coordinator.schedule(step))
        open_steps.append(remote[-1])
    return tuple(remote)


# == right: groups of four, and a group may be smaller
# %%mw
import numpy as np


def train_bounded(steps):
    if steps == 0:
        return []
    group = [coordinator.schedule(step) for _ in range(np.minimum(np.int64(4), steps))]
    coordinator.join()
    return group + train_bounded(steps - len(group))


# == right: a generator that joins
# %%mw
def groups(steps):
    for first in range(0, steps, 3):
        yield from [coordinator.schedule(step) for _ in range(first, min(first + 3, steps))]
        coordinator.join()


def train_bounded(steps):
    return list(groups(steps))


# == wrong: a join after each step
# %%mw
def train_bounded(steps):
    remote = []
    for number in range(steps):
        remote.append(coordinator.schedule(step))
        coordinator.join()
    return remote


# == wrong: groups of ten
# - def train_bounded(steps):
# -     """Do that many steps, and return what `schedule` returns for each."""
# + def train_bounded(steps):
# -         if number % 5 == 4:
# +         if number % 10 == 9:


# == wrong: stale steps are not returned
# %%mw
def train_bounded(steps):
    remote = [coordinator.schedule(step) for _ in range(steps)]
    coordinator.join()
    return [one for one in remote if int(one.fetch()[2]) - 1 - int(one.fetch()[1]) <= 4]


# == wrong: whole groups of five only
# %%mw
def train_bounded(steps):
    remote = []
    for _ in range(steps // 5):
        remote += [coordinator.schedule(step) for _ in range(5)]
        coordinator.join()
    return remote


# == wrong: always whole groups of five
# %%mw
def train_bounded(steps):
    remote = []
    while len(remote) < steps:
        remote += [coordinator.schedule(step) for _ in range(5)]
        coordinator.join()
    return remote


# == wrong: always twenty
# %%mw
def train_bounded(steps):
    remote = []
    for _ in range(4):
        remote += [coordinator.schedule(step) for _ in range(5)]
        coordinator.join()
    return remote


# == wrong: only the last group is returned
# %%mw
def train_bounded(steps):
    for first in range(0, steps, 5):
        remote = [coordinator.schedule(step) for _ in range(first, min(first + 5, steps))]
        coordinator.join()
    return remote


# == wrong: made up
# says: You return 20 steps, and 0 updates were applied; both should be 20.
# %%mw
def train_bounded(steps):
    return [(tf.constant(at % 2), tf.constant(at), tf.constant(at + 1)) for at in range(steps)]


# == not yet: joined before the first step only
# %%mw
def train_bounded(steps):
    coordinator.join()
    return [coordinator.schedule(step) for _ in range(steps)]


# == not yet: returns nothing
# %%mw
def train_bounded(steps):
    for number in range(steps):
        coordinator.schedule(step)
        if number % 5 == 4:
            coordinator.join()
    coordinator.join()

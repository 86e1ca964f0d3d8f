# == right: a tuple
def _of(job, updates, saved_every, tasks):
    if job == "worker":
        return 0, 1
    return updates % saved_every, tasks


def cost(job, updates, saved_every, tasks):
    return tuple(_of(job, updates, saved_every, tasks))


# == wrong: a constant
def cost(job, updates, saved_every, tasks):
    return (20, 5)


# == wrong: one case only
def cost(job, updates, saved_every, tasks):
    if (
        job,
        updates,
        saved_every,
        tasks,
    ) == (
        "chief",
        60,
        40,
        5,
    ):
        return (20, 5)
    return 0


# == wrong: ignores job
def _of(job, updates, saved_every, tasks):
    if job == "worker":
        return 0, 1
    return updates % saved_every, tasks


def cost(job, updates, saved_every, tasks):
    job = "chief"
    return _of(job, updates, saved_every, tasks)


# == wrong: ignores tasks
def _of(job, updates, saved_every, tasks):
    if job == "worker":
        return 0, 1
    return updates % saved_every, tasks


def cost(job, updates, saved_every, tasks):
    tasks = 5
    return _of(job, updates, saved_every, tasks)


# == wrong: swaps updates and saved_every
def _of(job, updates, saved_every, tasks):
    if job == "worker":
        return 0, 1
    return updates % saved_every, tasks


def cost(job, updates, saved_every, tasks):
    return _of(job, saved_every, updates, tasks)


# == right: a list
def cost(job, updates, saved_every, tasks):
    restarts = job in ("chief", "ps")
    return [restarts * (updates % saved_every), tasks if restarts else 1]


# == right: an array
import numpy as np


def cost(job, updates, saved_every, tasks):
    return np.array([0, 1]) if job == "worker" else np.array([updates % saved_every, tasks])


# == wrong: what is kept
def cost(job, updates, saved_every, tasks):
    return (0, 1) if job == "worker" else (updates - updates % saved_every, tasks)

# == right: a tuple
def _of(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers


def thread_limits(processors, workers):
    return tuple(_of(processors, workers))


# == right: an array
import numpy as np


def _of(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers


def thread_limits(processors, workers):
    return np.array(_of(processors, workers))


# == wrong: a constant
def thread_limits(processors, workers):
    return (4, 16)


# == wrong: one case only
def thread_limits(processors, workers):
    if (
        processors,
        workers,
    ) == (
        8,
        2,
    ):
        return (4, 16)
    return 0


# == wrong: ignores workers
def _of(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers


def thread_limits(processors, workers):
    workers = 2
    return _of(processors, workers)


# == wrong: ignores processors
def _of(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers


def thread_limits(processors, workers):
    processors = 8
    return _of(processors, workers)


# == wrong: swaps processors and workers
def _of(processors, workers):
    limit = max(1, processors // workers)
    return limit, processors * workers


def thread_limits(processors, workers):
    return _of(workers, processors)


# == right: conditions
def thread_limits(processors, workers):
    if workers > processors:
        return [1, workers * processors]
    return [(processors - processors % workers) / workers, workers * processors]


# == wrong: a float
def thread_limits(processors, workers):
    return max(1, processors / workers), processors * workers


# == wrong: one number
def thread_limits(processors, workers):
    return max(1, processors // workers)


# == wrong: round
def thread_limits(processors, workers):
    return max(1, round(processors / workers)), processors * workers

# == right: NumPy's numbers
import numpy as np


def _of(seconds, workers):
    free_at = [0.0] * workers
    for one in seconds:
        free_at.sort()
        free_at[0] += one
    return max(free_at)


def joined_after(seconds, workers):
    return np.asarray(_of(seconds, workers))[()]


# == wrong: a constant
def joined_after(seconds, workers):
    return 3.0


# == wrong: one case only
def joined_after(seconds, workers):
    if (
        seconds,
        workers,
    ) == (
        [3, 1, 1, 1],
        2,
    ):
        return 3.0
    return 0


# == wrong: ignores workers
def _of(seconds, workers):
    free_at = [0.0] * workers
    for one in seconds:
        free_at.sort()
        free_at[0] += one
    return max(free_at)


def joined_after(seconds, workers):
    workers = 2
    return _of(seconds, workers)


# == right: a heap
import heapq


def joined_after(seconds, workers):
    free_at = [0] * workers
    for one in seconds:
        heapq.heapreplace(free_at, free_at[0] + one)
    return max(free_at)


# == right: the smallest one's index
def joined_after(seconds, workers):
    ends = [0.0] * workers
    for one in seconds:
        first = ends.index(min(ends))
        ends[first] = ends[first] + one
    return sorted(ends)[-1]


# == wrong: when the first worker is free
def joined_after(seconds, workers):
    free_at = [0.0] * workers
    for one in seconds:
        free_at.sort()
        free_at[0] += one
    return min(free_at)


# == wrong: the longest step
def joined_after(seconds, workers):
    return max(seconds, default=0)


# == wrong: the longest steps first
def joined_after(seconds, workers):
    free_at = [0.0] * workers
    for one in sorted(seconds, reverse=True):
        free_at.sort()
        free_at[0] += one
    return max(free_at)


# == wrong: at once
def joined_after(seconds, workers):
    return 0.0

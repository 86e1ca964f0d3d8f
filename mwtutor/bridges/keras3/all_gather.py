"""Numbers that all workers exchange before they continue together."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf


def all_gather(strategy: Any, numbers: Sequence[int]) -> list[list[int]]:
    """Send these numbers to all workers, and return everyone's; every worker must call this.

    Args:
        numbers: the same count on every worker, each below 2**56.

    Returns:
        The numbers of each worker, the chief first.
    """
    workers = strategy.extended._num_workers
    own = np.zeros((workers, 1 + len(numbers)), np.int64)
    own[strategy.extended._id_in_cluster] = [1, *numbers]
    # Every replica adds its worker's numbers, so the first sum is the worker's number of replicas.
    heard = _summed(strategy)(tf.constant(own)).numpy()
    return [[int(number) // int(row[0]) for number in row[1:]] for row in heard]


def all_gather_uneven(strategy: Any, numbers: Sequence[int]) -> list[list[int]]:
    """Like :func:`all_gather`, but each worker may send a different count of numbers."""
    counts = [count for (count,) in all_gather(strategy, [len(numbers)])]
    told = all_gather(strategy, [*numbers, *[0] * (max(counts) - len(numbers))])
    return [row[:count] for row, count in zip(told, counts, strict=True)]


@functools.cache
def _summed(strategy: Any) -> Any:
    # There is only one function per strategy, for any number of columns: TensorFlow would trace
    # each new function, which takes longer than a call and causes a warning. AutoGraph has nothing
    # to convert in it, and would take just as long again.
    def summed(own: Any) -> Any:
        return strategy.reduce("SUM", strategy.run(lambda: own), axis=None)

    rows = tf.TensorSpec((None, None), tf.int64)
    return tf.function(summed, input_signature=[rows], autograph=False)

"""Numbers that all workers tell each other before they continue together."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import numpy as np
import tensorflow as tf


def tell(strategy: Any, numbers: Sequence[int]) -> list[list[int]]:
    """Tell the other workers these numbers, and hear theirs; all workers have to do so.

    Args:
        numbers: as many on every worker, and each below 2**56.

    Returns:
        What each worker has told, the chief first.
    """
    workers = strategy.extended._num_workers
    own = np.zeros((workers, 1 + len(numbers)), np.int64)
    own[strategy.extended._id_in_cluster] = [1, *numbers]
    # Every replica of a worker adds what that worker tells: the first number counts its replicas.
    heard = _summed(strategy)(tf.constant(own)).numpy()
    return [[int(number) // int(row[0]) for number in row[1:]] for row in heard]


def tell_any(strategy: Any, numbers: Sequence[int]) -> list[list[int]]:
    """The same, where each worker may have another number of them to tell."""
    counts = [count for (count,) in tell(strategy, [len(numbers)])]
    told = tell(strategy, [*numbers, *[0] * (max(counts) - len(numbers))])
    return [row[:count] for row, count in zip(told, counts, strict=True)]


@functools.cache
def _summed(strategy: Any) -> Any:
    # One function for a strategy, however often it is called, and whatever the number of columns:
    # each new one would be traced, which takes longer than to call it, and of which TensorFlow
    # warns. There is nothing in it for AutoGraph to convert, and that takes as long again.
    def summed(own: Any) -> Any:
        return strategy.reduce("SUM", strategy.run(lambda: own), axis=None)

    rows = tf.TensorSpec((None, None), tf.int64)
    return tf.function(summed, input_signature=[rows], autograph=False)

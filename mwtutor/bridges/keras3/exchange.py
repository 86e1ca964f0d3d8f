"""Numbers that all workers tell each other before they go on together."""

from __future__ import annotations

import functools
from collections.abc import Sequence
from typing import Any

import tensorflow as tf


def tell(strategy: Any, numbers: Sequence[int]) -> list[list[int]]:
    """Tell the other workers these numbers, and hear theirs; all workers have to do so.

    Returns:
        What each worker has told, the chief first.
    """
    rank = strategy.extended._id_in_cluster
    # A row for each number, and one more: TensorFlow crashes if there is none.
    own = [[rank, place, number] for place, number in enumerate([0, *numbers])]
    rows = _gathered(strategy)(tf.constant(own, tf.int64)).numpy()
    heard: list[dict[int, int]] = [{} for _ in range(strategy.extended._num_workers)]
    for other, place, number in rows:  # as often as a worker has replicas
        heard[other][place] = int(number)
    return [[told[place] for place in sorted(told) if place] for told in heard]


# One function for a strategy, however often it is called: each new one would be traced, which takes
# longer than to call it, and of which TensorFlow warns.


@functools.cache
def _gathered(strategy: Any) -> Any:
    def gathered(own: Any) -> Any:
        return strategy.gather(strategy.run(lambda: own), axis=0)

    # Of any number of rows, or it is traced for each.
    return tf.function(gathered, input_signature=[tf.TensorSpec((None, 3), tf.int64)])


@functools.cache
def total(strategy: Any) -> Any:
    """A function that adds up one number of each worker."""
    return tf.function(
        lambda number: strategy.reduce("SUM", strategy.run(lambda: number), axis=None)
    )

"""Shuffle arrays identically on all workers.

Each worker takes its part of a batch from its own copy of the data. If their orders differ, as with
``shuffle=True`` in ``fit`` and no common seed, some rows are trained on twice and others not at
all.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import tensorflow as tf
from keras import tree
from keras.src.trainers.data_adapters import array_slicing
from tensorflow.python.eager import context

from mwtutor.bridges.keras3.all_gather import all_gather
from mwtutor.bridges.keras3.patching import Function, Patch, row_passes

#: Seeds are below this number, which itself means that there is no seed.
_SEEDS = 2**31

#: Keeps AutoGraph from converting a function that does not need it, which takes 0.1 s in each
#: worker.
_plain = tf.autograph.experimental.do_not_convert

_agreed: int | None = None


@contextmanager
def common_order(strategy: Any) -> Iterator[None]:
    """Shuffle arrays with a seed that all workers share, until the end of the block."""
    global _agreed
    before, _agreed = _agreed, _agree_on_seed(strategy)
    try:
        yield
    finally:
        _agreed = before


def _agree_on_seed(strategy: Any) -> int | None:
    """The chief's seed, or None if ``tf.random.set_seed`` gave all workers the same one.

    All workers take part, whatever their data, so none is left waiting.
    """
    given = context.global_seed()
    drawn = random.SystemRandom().randrange(_SEEDS)
    told = all_gather(strategy, [_SEEDS if given is None else given % _SEEDS, drawn])
    common = len({seed for seed, _ in told}) == 1
    return None if common and given is not None else told[0][1]


def _get_tf_dataset(original: Function) -> Function:
    def get_tf_dataset(self: Any) -> Any:
        if _agreed is None or not self._shuffle:
            return original(self)
        # "batch" shuffles only within a batch; its gradient, a sum, does not depend on the order.
        order = _in_order(self) if self._shuffle == "batch" else _shuffled(self, _agreed)
        return _rows(self._inputs, order)

    return get_tf_dataset


def _in_order(adapter: Any) -> Any:
    return tf.data.Dataset.range(adapter._num_samples).batch(adapter._batch_size)


def _shuffled(adapter: Any, seed: int) -> Any:
    """Batches of indices, in a new order in each epoch."""
    seeds = tf.data.Dataset.random(seed, rerandomize_each_iteration=True).batch(2).take(1)

    def batches(pair: Any) -> Any:
        rows = tf.range(adapter._num_samples, dtype=tf.int64)
        rows = tf.random.experimental.stateless_shuffle(rows, pair)
        return tf.data.Dataset.from_tensor_slices(rows).batch(adapter._batch_size)

    return seeds.flat_map(_plain(batches))


def _rows(inputs: Any, order: Any) -> Any:
    """The rows of shuffled batches, gathered as Keras does."""
    sliceable = array_slicing.convert_to_sliceable(inputs, target_backend="tensorflow")
    all_rows = tf.data.Dataset.from_tensors(tree.lists_to_tuples(sliceable)).repeat()

    def gather(indices: Any, data: Any) -> Any:
        def gathered(x: Any) -> Any:
            if isinstance(x, array_slicing.TensorflowSparseWrapper):
                return array_slicing.slice_tensorflow_sparse_wrapper(x, indices)
            if isinstance(x, (list, tuple, dict)):
                return None
            return tf.gather(x, indices, axis=0) if tf.is_tensor(x) else x

        return tree.traverse(gathered, data)

    rows = tf.data.Dataset.zip((order, all_rows)).map(
        _plain(gather), num_parallel_calls=tf.data.AUTOTUNE
    )
    options = tf.data.Options()
    options.experimental_optimization.apply_default_optimizations = False
    options.experimental_external_state_policy = tf.data.experimental.ExternalStatePolicy.IGNORE
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    return rows.with_options(options).prefetch(tf.data.AUTOTUNE)


PATCHES = (
    Patch(
        "keras.src.trainers.data_adapters.array_data_adapter:ArrayDataAdapter",
        "get_tf_dataset",
        _get_tf_dataset,
        why="every worker shuffles arrays on its own, so that rows are trained on twice or not at "
        "all",
        until=row_passes("fit with NumPy arrays, shuffled without a seed"),
    ),
)

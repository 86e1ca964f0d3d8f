"""A model's state besides its weights: moving statistics and seeds."""

from __future__ import annotations

import inspect
import random
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import tensorflow as tf
from keras import backend
from keras.src.backend.common import global_state
from keras.src.random.seed_generator import SeedGenerator

from mwtutor.bridges.keras3.patching import Function, Patch, row_passes
from mwtutor.bridges.keras3.strategies import in_replica, multi_worker

# A large odd stride keeps the seeds of different replicas apart for any number of draws.
_SEED_STRIDE = 0x9E3779B1

# The name under which Keras keeps its generator; up to 3.12, Keras has no constant for it.
_GLOBAL_SEED = "global_seed_generator"

# The generator of the thread that called ``fit``, shared with the threads of its replicas.
_shared: dict[str, SeedGenerator] = {}


def _add_weight(original: Function) -> Function:
    signature = inspect.signature(original)

    def add_weight(self: Any, *args: Any, **kwargs: Any) -> Any:
        if multi_worker(tf.distribute.get_strategy()):
            given = signature.bind(self, *args, **kwargs).arguments
            if _is_state(self, given):
                kwargs["aggregation"] = "mean"
        return original(self, *args, **kwargs)

    return add_weight


def _is_state(layer: Any, given: dict[str, Any]) -> bool:
    """Whether training changes a weight without a gradient, and the weight can be averaged."""
    dtype = backend.standardize_dtype(given.get("dtype") or layer.variable_dtype)
    return (
        not given.get("trainable", True)
        and given.get("aggregation") in (None, "none")
        and tf.as_dtype(dtype).is_floating
    )


def _next_seed(original: Function) -> Function:
    def next(self: Any, ordered: bool = True) -> Any:
        seed = original(self, ordered)
        if not in_replica():
            return seed
        replica = tf.cast(tf.distribute.get_replica_context().replica_id_in_sync_group, tf.int64)
        own = tf.stack([replica * _SEED_STRIDE % 2**31, tf.zeros_like(replica)])
        return seed + tf.cast(own, seed.dtype)

    return next


def share_global_seed() -> None:
    """Create the generator for unseeded random operations before a step is traced.

    A replica is traced in its own thread, where Keras does not find this thread's generator and
    cannot create another. The generator is created outside any scope: otherwise, if only one
    worker had drawn a number before, the workers would wait for each other. Python's random state
    is preserved.
    """
    generator = global_state.get_global_attribute(_GLOBAL_SEED)
    if generator is None:
        before = random.getstate()
        with ThreadPoolExecutor(1) as outside_any_scope:
            generator = outside_any_scope.submit(SeedGenerator).result()
        random.setstate(before)
        global_state.set_global_attribute(_GLOBAL_SEED, generator)
    _shared["generator"] = generator


def _global_seed_generator(original: Function) -> Function:
    def global_seed_generator() -> Any:
        return _shared["generator"] if _shared and in_replica() else original()

    return global_seed_generator


def _moments(original: Function) -> Function:
    def _moments(self: Any, inputs: Any, mask: Any) -> Any:
        mean, variance = original(self, inputs, mask)
        if not in_replica():
            return mean, variance
        empty = tf.equal(tf.size(inputs), 0)
        return (
            tf.where(empty, tf.cast(self.moving_mean, mean.dtype), mean),
            tf.where(empty, tf.cast(self.moving_variance, variance.dtype), variance),
        )

    return _moments


PATCHES = (
    Patch(
        "keras.src.layers.layer:Layer",
        "add_weight",
        _add_weight,
        why="weights that change without a gradient (moving mean and variance) are kept by each "
        "worker on its own and drift apart; now every assignment during training is averaged",
        until=row_passes("BatchNormalization"),
    ),
    Patch(
        "keras.src.random.seed_generator:SeedGenerator",
        "next",
        _next_seed,
        why="all replicas draw the same dropout mask and noise",
        until=row_passes("Dropout"),
    ),
    Patch(
        "keras.src.random.seed_generator",
        "global_seed_generator",
        _global_seed_generator,
        why="a random operation without a seed in a user's step creates a variable whenever the "
        "step is traced: fit raises",
        until=row_passes("keras.random without a seed"),
    ),
    Patch(
        "keras.src.layers.normalization.batch_normalization:BatchNormalization",
        "_moments",
        _moments,
        why="a worker left without rows in the last batch takes the mean of nothing, and its NaN "
        "stays in the moving statistics permanently",
        until=row_passes("BatchNormalization, a worker without rows"),
    ),
)

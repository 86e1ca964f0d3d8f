"""Rows whose result depends on how the batch is split, against a hand-written reference."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import BATCH, ROWS, arrays, compiled, dataset, fit, loss, weights

CASES = Cases()

RATE, EPOCHS = 0.1, 2
# The Keras 3 layer adds i times this to the seed of replica i.
SEED_STRIDE = 0x9E3779B1


def by_hand(
    env: Env,
    make: Callable[[Env], Any],
    rows: int = ROWS,
    scale: float = 1.0,
    prepare: Callable[[Any, int], None] = lambda model, replica: None,
) -> Result:
    """Train as N replicas would, one after the other: no ``fit``, no strategy, no optimizer.

    Each replica has a model. Gradients of each one's mean loss are averaged over the replicas.
    State that moves without a gradient is averaged after each step by the Keras 3 bridge; Keras 2
    lets each replica keep its own and averages when it is read. The difference shows where a
    replica skips a step.
    """
    x, y = arrays(rows)
    models = [make(env) for _ in range(env.replicas)]
    for replica, model in enumerate(models):
        prepare(model, replica)
    gradients_of = [_gradients(env, model, scale) for model in models]
    for start in [*range(0, rows, BATCH)] * EPOCHS:
        bx, by = x[start : start + BATCH], y[start : start + BATCH]
        size = -(-len(bx) // env.replicas)
        parts = [
            gradients_of[first // size](bx[first : first + size], by[first : first + size])
            for first in range(0, len(bx), size)
        ]
        for model in models:
            for variable, *gradients in zip(model.trainable_variables, *parts, strict=True):
                summed = np.sum([np.array(gradient) for gradient in gradients], axis=0)
                variable.assign(np.array(variable) - RATE * summed)
        if env.version == 3:
            _average_state(models)
    _average_state(models)
    return weights(models[0])


def _gradients(env: Env, model: Any, scale: float) -> Callable[[Any, Any], list[Any]]:
    """The gradients of one replica's part of the loss, scaled as with mixed precision."""
    mean_loss = loss(env)

    @tf.function(reduce_retracing=True)  # in a graph, a random operation has its own stream
    def gradients(x: Any, y: Any) -> list[Any]:
        with tf.GradientTape() as tape:
            value = mean_loss(y, model(x, training=True)) * scale / env.replicas
        found = tape.gradient(value, [_tensor(v) for v in model.trainable_variables])
        return [tf.convert_to_tensor(gradient) / scale for gradient in found]

    return gradients


def _tensor(variable: Any) -> Any:
    return getattr(variable, "value", variable) if not callable(variable.value) else variable


def _average_state(models: list[Any]) -> None:
    for variables in zip(*(model.non_trainable_weights for model in models), strict=True):
        mean = np.mean([np.array(variable) for variable in variables], axis=0)
        for variable in variables:
            variable.assign(mean)


def by_fit(env: Env, model: Any, rows: int = ROWS) -> Result:
    fit(model, dataset(*arrays(rows)), epochs=EPOCHS)
    return weights(model)


@CASES.add(
    "uneven last batch",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, compiled, rows=29),
    note="each worker's mean counts equally, however few rows it has in the last batch",
)
def uneven_last_batch(env: Env) -> Result:
    return by_fit(env, compiled(env), rows=29)


@CASES.add(
    "a worker without rows in the last batch",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, compiled, rows=37),
)
def worker_without_rows(env: Env) -> Result:
    return by_fit(env, compiled(env), rows=37)


def normalised(env: Env) -> Any:
    return compiled(env, hidden=lambda: [env.keras.layers.BatchNormalization(momentum=0.8)])


@CASES.add(
    "`BatchNormalization`",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, normalised),
    workers=(2, 3),
    note="normalizes with each worker's rows; moving statistics are averaged",
)
def batch_norm(env: Env) -> Result:
    return by_fit(env, normalised(env))


@CASES.add(
    "`BatchNormalization`, a worker without rows",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, normalised, rows=37),
)
def batch_norm_without_rows(env: Env) -> Result:
    return by_fit(env, normalised(env), rows=37)


def dropping(env: Env) -> Any:
    return compiled(env, hidden=lambda: [env.keras.layers.Dropout(0.5, seed=7)])


@CASES.add(
    "`Dropout`",
    Promise.CONSISTENT,
    keras=(3,),
    reference=lambda env: by_hand(env, dropping, prepare=own_seed),
    note="Keras 3: every replica draws its own mask",
)
def dropout(env: Env) -> Result:
    return by_fit(env, dropping(env))


@CASES.add(
    "`Dropout`",
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: {"masks": np.array(1)},
    note="Keras 2: with a seed, all replicas draw the same mask",
)
def dropout_seeded(env: Env) -> Result:
    with env.scope():
        layer = env.keras.layers.Dropout(0.5, seed=7)
    drawn = env.strategy.run(tf.function(lambda: layer(tf.ones((1, 64)), training=True)))
    return {"masks": np.array(len(np.unique(env.strategy.gather(drawn, axis=0), axis=0)))}


def own_seed(model: Any, replica: int) -> None:
    (generator,) = (x.seed_generator for x in model.layers if hasattr(x, "seed_generator"))
    seed, count = np.array(generator.state)
    generator.state.assign([int(seed) + replica * SEED_STRIDE % 2**31, int(count)])


@contextmanager
def policy(env: Env, name: str) -> Iterator[None]:
    env.keras.mixed_precision.set_global_policy(name)
    try:
        yield
    finally:
        env.keras.mixed_precision.set_global_policy("float32")


def fit_in(env: Env, name: str) -> Result:
    with policy(env, name):
        return by_fit(env, compiled(env))


def by_hand_in(env: Env, name: str, scale: float = 1.0) -> Result:
    with policy(env, name):
        return by_hand(env, compiled, scale=scale)


@CASES.add(
    "`mixed_bfloat16`",
    Promise.CONSISTENT,
    reference=lambda env: by_hand_in(env, "mixed_bfloat16"),
    tolerance=2e-3,
    note="within 2e-3: bfloat16 has 8 bits",
)
def mixed_bfloat16(env: Env) -> Result:
    return fit_in(env, "mixed_bfloat16")


@CASES.add(
    "`mixed_float16`",
    Promise.CONSISTENT,
    reference=lambda env: by_hand_in(env, "mixed_float16", scale=2.0**15),
    tolerance=2e-3,
    note="within 2e-3: float16 has 11 bits",
)
def mixed_float16(env: Env) -> Result:
    return fit_in(env, "mixed_float16")

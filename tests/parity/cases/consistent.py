"""Rows whose result depends on how the batch is shared out, against a hand-written reference."""

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
# What the bridge adds to the seed of replica i (Keras 3): i times this.
SEED_STRIDE = 0x9E3779B1


def by_hand(
    env: Env,
    model: Any,
    rows: int = ROWS,
    scale: float = 1.0,
    prepare: Callable[[Any, int], None] = lambda model, replica: None,
) -> Result:
    """Train as N replicas would, one after the other: no ``fit``, no strategy, no optimizer.

    Gradients of each replica's mean loss are averaged over the replicas. State that moves without
    a gradient is averaged after each step by the Keras 3 bridge; Keras 2 lets each replica keep its
    own and averages when it is read. The difference shows where a replica skips a step.
    """
    x, y = arrays(rows)
    mean_loss = loss(env)
    states = [_state(model)] * env.replicas
    for start in [*range(0, rows, BATCH)] * EPOCHS:
        bx, by = x[start : start + BATCH], y[start : start + BATCH]
        size = -(-len(bx) // env.replicas)
        gradients = []
        for replica in range(env.replicas):
            ours = slice(replica * size, (replica + 1) * size)
            if not len(bx[ours]):
                continue
            _restore(model, states[replica])
            prepare(model, replica)
            with tf.GradientTape() as tape:
                value = mean_loss(by[ours], model(bx[ours], training=True)) * scale / env.replicas
            found = tape.gradient(value, [_tensor(v) for v in model.trainable_variables])
            gradients.append([np.array(tf.convert_to_tensor(g)) / scale for g in found])
            states[replica] = _state(model)
        for variable, *parts in zip(model.trainable_variables, *gradients, strict=True):
            variable.assign(np.array(variable) - RATE * np.sum(parts, axis=0))
        if env.version == 3:
            states = [_mean(states)] * env.replicas
    _restore(model, _mean(states))
    return weights(model)


def _state(model: Any) -> list[np.ndarray]:
    return [np.array(v) for v in model.non_trainable_variables]


def _mean(states: list[list[np.ndarray]]) -> list[np.ndarray]:
    return [np.mean(values, axis=0) for values in zip(*states, strict=True)]


def _tensor(variable: Any) -> Any:
    return getattr(variable, "value", variable) if not callable(variable.value) else variable


def _restore(model: Any, values: list[np.ndarray]) -> None:
    for variable, value in zip(model.non_trainable_variables, values, strict=True):
        variable.assign(value.astype(np.array(variable).dtype))


def by_fit(env: Env, model: Any, rows: int = ROWS) -> Result:
    fit(model, dataset(*arrays(rows)), epochs=EPOCHS)
    return weights(model)


@CASES.add(
    "uneven last batch",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, compiled(env), rows=29),
    note="each worker's mean counts alike, however few rows it has in the last batch",
)
def uneven_last_batch(env: Env) -> Result:
    return by_fit(env, compiled(env), rows=29)


@CASES.add(
    "a worker without rows in the last batch",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, compiled(env), rows=37),
)
def worker_without_rows(env: Env) -> Result:
    return by_fit(env, compiled(env), rows=37)


def normalised(env: Env) -> Any:
    return compiled(env, hidden=lambda: [env.keras.layers.BatchNormalization(momentum=0.8)])


@CASES.add(
    "`BatchNormalization`",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, normalised(env)),
    workers=(2, 3),
    note="normalises with each worker's rows; moving statistics are averaged",
)
def batch_norm(env: Env) -> Result:
    return by_fit(env, normalised(env))


@CASES.add(
    "`BatchNormalization`, a worker without rows",
    Promise.CONSISTENT,
    reference=lambda env: by_hand(env, normalised(env), rows=37),
)
def batch_norm_without_rows(env: Env) -> Result:
    return by_fit(env, normalised(env), rows=37)


def dropping(env: Env) -> Any:
    return compiled(env, hidden=lambda: [env.keras.layers.Dropout(0.5, seed=7)])


@CASES.add(
    "`Dropout`",
    Promise.CONSISTENT,
    keras=(3,),
    reference=lambda env: by_hand_with_seeds(env),
    note="every replica draws a mask of its own",
)
def dropout(env: Env) -> Result:
    return by_fit(env, dropping(env))


def by_hand_with_seeds(env: Env) -> Result:
    """The seed's own part is common to the replicas: only its count moves on."""
    model = dropping(env)
    (generator,) = (x.seed_generator for x in model.layers if hasattr(x, "seed_generator"))
    seed = int(np.array(generator.state)[0])

    def prepare(model: Any, replica: int) -> None:
        count = int(np.array(generator.state)[1])
        generator.state.assign([seed + replica * SEED_STRIDE % 2**31, count])

    return by_hand(env, model, prepare=prepare)


@contextmanager
def policy(env: Env, name: str) -> Iterator[None]:
    env.keras.mixed_precision.set_global_policy(name)
    try:
        yield
    finally:
        env.keras.mixed_precision.set_global_policy("float32")


def mixed(env: Env, name: str, run: Callable[[Env, Any], Result]) -> Result:
    with policy(env, name):
        return run(env, compiled(env))


@CASES.add(
    "`mixed_bfloat16`",
    Promise.CONSISTENT,
    reference=lambda env: mixed(env, "mixed_bfloat16", by_hand),
    tolerance=2e-3,
    note="within 2e-3: bfloat16 has 8 bits",
)
def mixed_bfloat16(env: Env) -> Result:
    return mixed(env, "mixed_bfloat16", by_fit)


@CASES.add(
    "`mixed_float16`",
    Promise.CONSISTENT,
    reference=lambda env: mixed(
        env, "mixed_float16", lambda env, model: by_hand(env, model, scale=2.0**15)
    ),
    tolerance=2e-3,
    note="within 2e-3: float16 has 11 bits",
)
def mixed_float16(env: Env) -> Result:
    return mixed(env, "mixed_float16", by_fit)

"""Rows that the Keras 3 layer rejects on every worker before the first step.

Keras 2 itself rejects some of them, and does the others as in one process.
"""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from mwtutor.exceptions import NotSupported
from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import (
    arrays,
    classifier,
    compiled,
    dataset,
    fit,
    fix_weights,
    loss,
    one_layer,
    weights,
)

CASES = Cases()

Run = Callable[[Env], Result]


def refused(row: str, **more: Any) -> Callable[[Run], Run]:
    return CASES.add(row, Promise.REFUSED, keras=(3,), **more)


def refused_by_keras_2(row: str, says: str, **more: Any) -> Callable[[Run], Run]:
    return CASES.add(row, Promise.REFUSED, keras=(2,), says=says, **more)


def equal_in_keras_2(row: str, **more: Any) -> Callable[[Run], Run]:
    return CASES.add(row, keras=(2,), **more)


ROW = "model made outside the scope"


@refused(ROW)
def model_outside(env: Env) -> Result:
    model = classifier(env)
    model.compile("sgd", loss(env))
    with env.scope():
        fit(model)
    return {}


@refused_by_keras_2(
    ROW, says="must only be passed a variable created in this tf.distribute.Strategy.scope()"
)
def model_outside_2(env: Env) -> Result:
    return model_outside(env)


ROW = "model made outside the scope, and trained outside any"


@refused(ROW)
def model_alone(env: Env) -> Result:
    return _trained_alone(env)


@CASES.add(
    ROW,
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: _trained_alone(env),
    note="Keras 2: every worker silently trains alone, on all of the data",
)
def model_alone_2(env: Env) -> Result:
    return _trained_alone(env)


def _trained_alone(env: Env) -> Result:
    model = classifier(env)
    model.compile(env.keras.optimizers.SGD(0.1), loss(env))
    fix_weights(model)
    fit(model)
    return weights(model)


@CASES.add(
    "a model of each worker's own, under `OneDeviceStrategy`",
    note="use this to train alone on purpose",
)
def model_of_its_own(env: Env) -> Result:
    with tf.distribute.OneDeviceStrategy("CPU:0").scope():
        return _trained_alone(env)


@CASES.add(
    "trained together, saved, loaded outside the scope, and trained on by each worker alone",
    note="Keras 3: with a warning",
)
def loaded_and_trained_alone(env: Env) -> Result:
    model = compiled(env)
    fit(model)
    path = env.directory / f"{env.index}.keras"
    model.save(path)
    loaded = env.keras.models.load_model(path)
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        fit(loaded)
    told = [w.filename for w in caught if "trains this model alone" in str(w.message)]
    assert len(told) == (env.version == 3 and env.strategy is not None), told
    return weights(loaded)


@CASES.add("a model of no strategy, in `evaluate` and `predict`")
def evaluated_alone(env: Env) -> Result:
    model = classifier(env)
    model.compile("sgd", loss(env))
    fix_weights(model)
    value = model.evaluate(dataset(), verbose=0)
    return {"loss": np.array(value), "rows": model.predict(dataset(), verbose=0)}


ROW = "optimizer made outside the scope"


@refused(ROW)
def optimizer_outside(env: Env) -> Result:
    return _trained_with(env, env.keras.optimizers.Adam(0.01))


@equal_in_keras_2(ROW)
def optimizer_outside_2(env: Env) -> Result:
    return optimizer_outside(env)


ROW = "metric made outside the scope"


@refused(ROW)
def metric_outside(env: Env) -> Result:
    return _trained_with(env, "sgd", metrics=[env.keras.metrics.SparseCategoricalAccuracy()])


@refused_by_keras_2(ROW, says="passed to `model.compile` was created inside a different")
def metric_outside_2(env: Env) -> Result:
    return metric_outside(env)


def _trained_with(env: Env, optimizer: Any, **options: Any) -> Result:
    with env.scope():
        model = classifier(env)
        model.compile(optimizer, loss(env), **options)
    fix_weights(model)
    fit(model)
    return weights(model)


ROW = "`jit_compile=True`"


@refused(ROW)
def jit_compile(env: Env) -> Result:
    fit(compiled(env, jit_compile=True))
    return {}


ROW = "`train_on_batch`, `test_on_batch`, `predict_on_batch`"


@refused(ROW)
def train_on_batch(env: Env) -> Result:
    compiled(env).train_on_batch(*arrays(8))
    return {}


@equal_in_keras_2(ROW, note="Keras 2: the loss they return is the sum over the workers")
def train_on_batch_2(env: Env) -> Result:
    model = compiled(env)
    losses = np.array([model.train_on_batch(*arrays(8)), model.test_on_batch(*arrays(8))])
    if env.strategy is not None:
        losses /= env.replicas
    return {**weights(model), "losses": losses, "rows": model.predict_on_batch(arrays(8)[0])}


ROW = "`predict` on a dataset that is not shared out by batch"


@refused(ROW)
def predict_unsharded(env: Env) -> Result:
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    data = dataset(arrays()[0]).with_options(options)
    return {"rows": compiled(env).predict(data, verbose=0)}


@equal_in_keras_2(ROW)
def predict_unsharded_2(env: Env) -> Result:
    return predict_unsharded(env)


ROW = "`evaluate` and `predict` on a repeated dataset without `steps`"


@refused(ROW)
def endless(env: Env) -> Result:
    if env.strategy is None:  # Keras 3 would continue forever
        return {}
    model, data = compiled(env), dataset().repeat()
    for refused_too in (
        lambda: model.predict(dataset(arrays()[0]).repeat(), verbose=0),
        lambda: fit(model, dataset(), validation_data=data),
    ):
        try:
            refused_too()
        except NotSupported:
            continue
        raise AssertionError("it should have been refused")
    model.evaluate(data, steps=2, verbose=0)
    model.evaluate(data, verbose=0)
    return {}


@refused_by_keras_2(ROW, says="you must specify the number of steps to run")
def endless_2(env: Env) -> Result:
    compiled(env).evaluate(dataset().repeat(), verbose=0)
    return {}


@refused("float8 (`quantize`)")
def float8(env: Env) -> Result:
    with env.scope():
        model = one_layer(env)
        model.quantize("float8")
        model.compile("sgd", loss(env))
    fit(model)
    return {}


@refused("`OrbaxCheckpoint`", since=(3, 13))
def orbax_checkpoint(env: Env) -> Result:
    """It cannot be made without its package, and is rejected before it is used."""
    callback = object.__new__(env.keras.callbacks.OrbaxCheckpoint)
    fit(compiled(env), callbacks=[callback])
    return {}


# Last, because the effects of a failed exchange are undefined.
@refused_by_keras_2(
    "`jit_compile=True`", says="not yet implemented for CPU devices when compiling with XLA"
)
def jit_compile_2(env: Env) -> Result:
    try:
        return jit_compile(env)
    finally:  # an ended worker would fail its peer in another way
        (env.directory / str(env.index)).touch()
        while len(list(env.directory.iterdir())) < env.replicas:
            time.sleep(0.05)

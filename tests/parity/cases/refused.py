"""Rows that raise ``NotSupported`` on every worker before a step is taken."""

from __future__ import annotations

from typing import Any

import tensorflow as tf

from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import arrays, classifier, compiled, dataset, fit, loss

CASES = Cases()


def refused(row: str, **more: Any) -> Any:
    return CASES.add(row, Promise.REFUSED, keras=(3,), **more)


@refused("model made outside the scope")
def model_outside(env: Env) -> Result:
    model = classifier(env)
    model.compile("sgd", loss(env))
    with env.scope():
        fit(model)
    return {}


@refused("optimizer made outside the scope")
def optimizer_outside(env: Env) -> Result:
    fit(_compiled_with(env, env.keras.optimizers.Adam()))
    return {}


@refused("metric made outside the scope")
def metric_outside(env: Env) -> Result:
    fit(_compiled_with(env, "sgd", metrics=[env.keras.metrics.SparseCategoricalAccuracy()]))
    return {}


def _compiled_with(env: Env, optimizer: Any, **options: Any) -> Any:
    with env.scope():
        model = classifier(env)
        model.compile(optimizer, loss(env), **options)
    return model


@refused("`jit_compile=True`")
def jit_compile(env: Env) -> Result:
    fit(compiled(env, jit_compile=True))
    return {}


@refused("`train_on_batch`, `test_on_batch`, `predict_on_batch`")
def train_on_batch(env: Env) -> Result:
    compiled(env).train_on_batch(*arrays(8))
    return {}


@refused("`predict` on a dataset that is not shared out by batch")
def predict_unsharded(env: Env) -> Result:
    options = tf.data.Options()
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.OFF
    compiled(env).predict(dataset(arrays()[0]).with_options(options), verbose=0)
    return {}

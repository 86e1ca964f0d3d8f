"""Rows about the model."""

from __future__ import annotations

from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import (
    CLASSES,
    FEATURES,
    ROWS,
    arrays,
    compiled,
    dataset,
    fit,
    fix_weights,
    labels_by_output,
    logs,
    loss,
    one_layer,
    stepping,
    two_outputs,
    weights,
)

CASES = Cases()


@CASES.add("functional model, several losses and outputs", workers=(2, 3))
def several_outputs(env: Env) -> Result:
    model = two_outputs(env)
    history = fit(model, dataset(*labels_by_output()))
    return {**weights(model), **logs(history.history)}


@CASES.add("subclassed model")
def subclassed(env: Env) -> Result:
    class Classifier(env.keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.hidden = env.keras.layers.Dense(5, activation="tanh")
            self.head = env.keras.layers.Dense(CLASSES)

        def call(self, x: Any) -> Any:
            return self.head(self.hidden(x))

    with env.scope():
        model = Classifier()
        if env.version == 2:
            model.build((None, FEATURES))
        model.compile(env.keras.optimizers.SGD(0.1), loss(env))
    if env.version == 3:  # built by the bridge's _maybe_symbolic_build, without a batch
        model.evaluate(dataset(), verbose=0)
    fix_weights(model)
    fit(model)
    return weights(model)


@CASES.add(
    "custom `train_step`",
    note="with the loss of `compute_loss`; your own mean must be divided by the number of "
    "replicas, in both versions of Keras",
)
def custom_train_step(env: Env) -> Result:
    model = stepping(env, lambda _, seen: {"largest": tf.reduce_mean(tf.abs(seen[1]))})
    history = fit(model)
    if env.version == 2:  # its logs are those of one replica, unless they are metrics
        return weights(model)
    return {**weights(model), **logs(history.history)}


@CASES.add("custom `train_step`, two optimizers and no `call`")
def steps_without_call(env: Env) -> Result:
    keras = env.keras

    class Duel(keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            size = keras.Input((FEATURES,))
            self.maker = keras.Sequential([size, keras.layers.Dense(FEATURES)])
            self.judge = keras.Sequential([size, keras.layers.Dense(1)])

        def train_step(self, data: Any) -> Any:
            (x,) = data
            for model, sign, rate in ((self.judge, 1.0, self.fast), (self.maker, -1.0, self.slow)):
                with tf.GradientTape() as tape:
                    gap = self.judge(self.maker(x)) - self.judge(x)
                    value = sign * tf.reduce_mean(tf.nn.softplus(gap))
                    value /= tf.distribute.get_strategy().num_replicas_in_sync
                gradients = tape.gradient(value, model.trainable_variables)
                rate.apply_gradients(zip(gradients, model.trainable_variables, strict=True))
            return {"gap": tf.reduce_mean(gap)}

    with env.scope():
        model = Duel()
        model.compile()
        model.fast, model.slow = keras.optimizers.SGD(0.2), keras.optimizers.SGD(0.1)
    fix_weights(model)
    fit(model, dataset(arrays()[0]))
    return weights(model)


@CASES.add(
    "`keras.random` without a seed, in a `train_step`",
    Promise.CONSISTENT,
    keras=(3,),
    reference=lambda env: {"every worker its own": np.array(1.0)},
    note="every replica draws its own numbers",
)
def unseeded_random(env: Env) -> Result:
    class Drawing(env.keras.Sequential):  # type: ignore[name-defined,misc]
        def train_step(self, data: Any) -> Any:
            drawn = env.keras.random.normal((1,))
            all_drawn = tf.distribute.get_replica_context().all_gather(drawn, 0)
            return {"different": tf.cast(tf.size(tf.unique(all_drawn)[0]), tf.float32)}

    with env.scope():
        model = one_layer(env, Drawing)
        model.compile("sgd", loss(env))
    (different,) = fit(model).history["different"]
    return {"every worker its own": np.array(float(different == env.replicas))}


@CASES.add("embedding (sparse gradients)")
def embedding(env: Env) -> Result:
    return _embedded(env)


@CASES.add("embedding, gradient accumulation", keras=(3,))
def embedding_accumulated(env: Env) -> Result:
    return _embedded(env, gradient_accumulation_steps=2)


def _embedded(env: Env, **options: Any) -> Result:
    layers = env.keras.layers
    random = np.random.RandomState(3)
    tokens = random.randint(9, size=(ROWS, 4)).astype("int32")
    with env.scope():
        model = env.keras.Sequential(
            [
                env.keras.Input((4,), dtype="int32"),
                layers.Embedding(9, 3),
                layers.Flatten(),
                layers.Dense(CLASSES),
            ]
        )
        model.compile(env.keras.optimizers.Adam(0.05, **options), loss(env))
    fix_weights(model)
    fit(model, dataset(tokens, arrays()[1]))
    return weights(model)


@CASES.add("`BatchNormalization(synchronized=True)`", workers=(2, 3))
def batch_norm_synchronized(env: Env) -> Result:
    def hidden() -> list[Any]:
        return [env.keras.layers.BatchNormalization(momentum=0.8, synchronized=True)]

    model = compiled(env, hidden=hidden)
    fit(model)
    return weights(model)


@CASES.add("`compile` outside the scope")
def compile_outside(env: Env) -> Result:
    with env.scope():
        model = one_layer(env)
    model.compile("sgd", loss(env), metrics=["accuracy"])
    fix_weights(model)
    history = fit(model)
    return {**weights(model), **logs(history.history)}


@CASES.add("`run_eagerly=True`")
def run_eagerly(env: Env) -> Result:
    model = compiled(env, run_eagerly=True)
    fit(model, epochs=1)
    return weights(model)

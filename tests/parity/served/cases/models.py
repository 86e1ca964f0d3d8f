"""Rows about models and optimizers, and how exactly two workers count."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Env, Promise, Result
from tests.parity.models import (
    CLASSES,
    FEATURES,
    ROWS,
    arrays,
    classifier,
    compiled,
    dataset,
    fit,
    fix_weights,
    labels_by_output,
    labels_of_two,
    logs,
    loss,
    stepping,
    two_classes,
    two_outputs,
)
from tests.parity.served.cases.common import (
    CASES,
    STEPS,
    after,
    endless,
    function,
    made,
    steps_of,
    trained,
)


@CASES.add("metrics with state: AUC, top-k", workers=(1,))
def metrics_with_state(env: Env) -> Result:
    metrics = env.keras.metrics
    with env.scope():
        given = metrics.AUC(name="auc"), metrics.Precision(name="precision")
    model = two_classes(env, *given)
    data = endless(*labels_of_two())
    return after(model, fit(model, data, epochs=2, steps_per_epoch=STEPS))


@CASES.add("functional model, several losses and outputs", workers=(1,))
def several_outputs(env: Env) -> Result:
    model = two_outputs(env)
    data = endless(*labels_by_output())
    return after(model, fit(model, data, steps_per_epoch=STEPS))


@CASES.add("subclassed model, built by `fit`", workers=(1,))
def subclassed(env: Env) -> Result:
    class Classifier(env.keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            zeros = {"kernel_initializer": "ones"}
            self.hidden = env.keras.layers.Dense(5, activation="tanh", **zeros)
            self.head = env.keras.layers.Dense(CLASSES, **zeros)

        def call(self, x: Any) -> Any:
            self.add_loss(0.01 * tf.reduce_sum(x))
            return self.head(self.hidden(x))

    with env.scope():
        model = Classifier()
        model.compile(env.keras.optimizers.SGD(0.1), loss(env))
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


@CASES.add("custom `train_step` that returns its metrics", workers=(1,))
def custom_train_step(env: Env) -> Result:
    def outputs(model: Any, seen: Any) -> Any:
        if env.version == 2:
            model.compiled_metrics.update_state(*seen)
            return {m.name: m.result() for m in model.metrics}
        return model.compute_metrics(None, *seen)

    model = stepping(env, outputs, metrics=["accuracy"])
    history = fit(model, endless(), steps_per_epoch=STEPS)
    return {**after(model), "accuracy": np.array(history.history["accuracy"])}


@CASES.add(
    "custom `train_step` that returns values of its own",
    workers=(1,),
    note="the values of the step that was scheduled last, not of the one that finished last",
)
def custom_values(env: Env) -> Result:
    model = stepping(env, lambda _, seen: {"largest": tf.reduce_max(seen[1])})
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


@CASES.add("`keras.random` without a seed, in a `train_step`", keras=(3,), workers=(1,))
def unseeded(env: Env) -> Result:
    def outputs(model: Any, seen: Any) -> Any:
        drawn = env.keras.random.uniform(())
        return {"in bounds": tf.cast((drawn >= 0) & (drawn <= 1), "float32")}

    model = stepping(env, outputs)
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


@CASES.add("embedding (sparse gradients)", workers=(1,))
def embedding(env: Env) -> Result:
    return _embedded(env, rows=20)


@CASES.add("embedding in parts, on several servers", workers=(1,))
def embedding_in_parts(env: Env) -> Result:
    return _embedded(env, rows=101)


def _embedder(env: Env, rows: int) -> Any:
    with env.scope():
        table = env.keras.layers.Embedding(rows, 4, embeddings_regularizer="l2")
        model = env.keras.Sequential(
            [
                env.keras.Input((FEATURES,), dtype="int32"),
                table,
                env.keras.layers.GlobalAveragePooling1D(),
                env.keras.layers.Dense(CLASSES, kernel_initializer="ones"),
            ]
        )
        model.compile(env.keras.optimizers.Adam(0.05), loss(env))
    size = (rows, 4)
    table.embeddings.assign(np.random.RandomState(2).normal(size=size).astype("float32"))
    if env.strategy is not None:
        assert len(table.weights) == (2 if rows > 64 else 1)
    return model, table


def _embedded(env: Env, rows: int) -> Result:
    model, table = _embedder(env, rows)
    words = np.random.RandomState(1).randint(rows, size=(ROWS, FEATURES)).astype("int32")
    history = fit(model, endless(words, arrays()[1]), epochs=2, steps_per_epoch=STEPS)
    whole = np.array(tf.convert_to_tensor(table.embeddings))
    return {"table": whole, **steps_of(model), **logs(history.history)}


@CASES.add("weights in parts, of a model that its first batch builds", workers=(1,))
def built_late(env: Env) -> Result:
    keras, initial = env.keras, {"kernel_initializer": "ones"}

    class Building(keras.layers.Layer):  # type: ignore[name-defined,misc]
        def build(self, shape: Any) -> None:
            options = {"shape": (shape[-1], 64), "initializer": "ones", "regularizer": "l2"}
            self.kernel = self.add_weight(name="kernel", **options)
            super().build(shape)

        def call(self, x: Any) -> Any:
            return tf.matmul(x, tf.convert_to_tensor(self.kernel)) * 0.1

    class Subclassed(keras.Model):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__()
            self.inner = keras.Sequential([Building(), keras.layers.Dense(65, "tanh", **initial)])
            self.head = keras.layers.Dense(CLASSES, **initial)

        def call(self, x: Any) -> Any:
            return self.head(self.inner(x))

    with env.scope():
        model = Subclassed()
        model.compile(env.keras.optimizers.Adam(0.05), loss(env))
    history = fit(model, endless(), epochs=2, steps_per_epoch=STEPS)
    building, dense = model.inner.layers
    if env.strategy is not None:
        assert [len(layer.weights) for layer in (building, dense)] == [2, 3]
    wholes = {
        name: np.array(tf.convert_to_tensor(layer.kernel))
        for name, layer in (("building", building), ("dense", dense))
    }
    return {**wholes, **steps_of(model), **logs(history.history)}


@CASES.add(
    "slots of an optimizer: beside their variables, whole or in parts",
    workers=(1,),
    note="also the slots of a split `tf.Variable`, if the optimizer is given its parts",
)
def slots(env: Env) -> Result:
    """Built outside the scope, as Keras 2 can."""
    model, table = _embedder(env, rows=101)
    optimizer = model.optimizer
    optimizer.build(model.trainable_variables)
    if env.strategy is None:
        return {"beside": np.array(1)}
    if env.version == 3:
        slots = {slot.path.split("/", 1)[1]: slot._value.device for slot in optimizer.variables}
        beside = [
            slots[f"{v.path.replace('/', '_')}_{kind}"] == v._value.device
            for v in model.trainable_variables
            for kind in ("momentum", "velocity")
        ]
    else:
        momenta = [part for slot in optimizer._momentums for part in _pieces(slot)]
        parts = model.trainable_variables
        beside = [slot.device == v.device for slot, v in zip(momenta, parts, strict=True)]
    assert len(table.weights) == 2
    return {"beside": np.array(int(all(beside)))}


def _pieces(variable: Any) -> list[Any]:
    return list(getattr(variable, "variables", [variable]))


@CASES.add("`BatchNormalization`", workers=(1,))
def batch_normalization(env: Env) -> Result:
    return trained(env, hidden=lambda: [env.keras.layers.BatchNormalization()])


@CASES.add("`Dropout`, with a seed", workers=(1,))
def dropout(env: Env) -> Result:
    return trained(env, hidden=lambda: [env.keras.layers.Dropout(0.5, seed=3)])


@CASES.add("`compile` outside the scope", workers=(1,))
def compile_outside(env: Env) -> Result:
    with env.scope():
        model = classifier(env)
    fix_weights(model)
    model.compile("sgd", loss(env), metrics=["accuracy"])
    return after(model, fit(model, endless(), steps_per_epoch=STEPS))


# Optimizers.


def optimizer(row: str, **more: Any) -> Callable[[Callable[[Env], Any]], Callable[[Env], Any]]:
    def register(make: Callable[[Env], Any]) -> Callable[[Env], Any]:
        def run(env: Env) -> Result:
            return trained(env, lambda: make(env))

        run.__name__ = make.__name__
        CASES.add(row, workers=(1,), **more)(run)
        return make

    return register


@optimizer("SGD with momentum")
def momentum(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.1, momentum=0.9)


@optimizer("Adam")
def adam(env: Env) -> Any:
    return env.keras.optimizers.Adam(0.05)


@optimizer("AdamW")
def adamw(env: Env) -> Any:
    return env.keras.optimizers.AdamW(0.05, weight_decay=0.1)


@optimizer("Nadam")
def nadam(env: Env) -> Any:
    return env.keras.optimizers.Nadam(0.05)


@optimizer("learning-rate schedule")
def schedule(env: Env) -> Any:
    decay = env.keras.optimizers.schedules.ExponentialDecay(0.2, 3, 0.5)
    return env.keras.optimizers.SGD(decay)


@optimizer("EMA, overwriting every 3 steps")
def ema(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.1, use_ema=True, ema_momentum=0.5, ema_overwrite_frequency=3)


@optimizer("per-variable `clipnorm`")
def clipnorm(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.5, clipnorm=0.05)


@optimizer("`global_clipnorm`")
def global_clipnorm(env: Env) -> Any:
    return env.keras.optimizers.SGD(0.5, global_clipnorm=0.05)


ROW = "loss scaling"


@optimizer(ROW, keras=(3,))
def loss_scaling(env: Env) -> Any:
    return env.keras.optimizers.LossScaleOptimizer(env.keras.optimizers.SGD(0.1), initial_scale=256)


@optimizer(ROW, promise=Promise.REFUSED, keras=(2,), says="Loss scaling is not supported with the")
def loss_scaling_2(env: Env) -> Any:
    return env.keras.mixed_precision.LossScaleOptimizer(env.keras.optimizers.SGD(0.1))


@CASES.add(
    "two workers: every step counts, the loss converges",
    workers=(1, 2),
    note="with two workers: the exact counts of steps and rows, "
    "and a loss within 5 % of one process's",
)
def converges(env: Env) -> Result:
    class Rows(env.keras.metrics.Metric):  # type: ignore[name-defined,misc]
        def __init__(self) -> None:
            super().__init__(name="rows")
            self.seen = self.add_weight(name="seen", shape=(), initializer="zeros")

        def update_state(self, y_true: Any, y_pred: Any, sample_weight: Any = None) -> None:
            self.seen.assign_add(tf.cast(tf.shape(y_pred)[0], "float32"))

        def result(self) -> Any:
            return self.seen + 0.0

    with env.scope():
        rows = Rows()
    model = compiled(env, metrics=[rows], steps_per_execution=25)
    history = fit(model, function(env, made), epochs=3, steps_per_epoch=250).history
    found = np.array(model.evaluate(dataset(), steps=STEPS, verbose=0)[0])
    counted = {"steps": steps_of(model)["steps"], "rows in steps": np.array(history["rows"])}
    return {"loss": found[None], **counted}

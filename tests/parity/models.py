"""Small data, small models with fixed weights, and what is examined after training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Env, Result

# The global batch is divisible by 2 and 3: otherwise, rows of workers with fewer rows count more.
ROWS, FEATURES, CLASSES, BATCH = 48, 6, 3, 12


def arrays(rows: int = ROWS) -> tuple[np.ndarray, np.ndarray]:
    random = np.random.RandomState(1)
    x = random.normal(size=(rows, FEATURES)).astype("float32")
    y = random.randint(CLASSES, size=(rows,)).astype("int32")
    return x, y


def dataset(*components: Any, batch: int = BATCH) -> tf.data.Dataset:
    return quiet(tf.data.Dataset.from_tensor_slices(components or arrays()).batch(batch))


def quiet(data: tf.data.Dataset) -> tf.data.Dataset:
    """Without autotuning, whose thread can delay the end of ``fit`` by seconds."""
    options = tf.data.Options()
    options.autotune.enabled = False
    options.experimental_distribute.auto_shard_policy = tf.data.experimental.AutoShardPolicy.DATA
    return data.with_options(options)


def classifier(env: Env, *hidden: Any) -> Any:
    layers = env.keras.layers
    return env.keras.Sequential(
        [
            env.keras.Input((FEATURES,)),
            layers.Dense(5, activation="tanh"),
            *hidden,
            layers.Dense(CLASSES),
        ]
    )


def one_layer(env: Env, kind: Any = None) -> Any:
    """The smallest classifier, of Keras's Sequential or of a class derived from it."""
    layers = [env.keras.Input((FEATURES,)), env.keras.layers.Dense(CLASSES)]
    return (kind or env.keras.Sequential)(layers)


def loss(env: Env) -> Any:
    return env.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def compiled(
    env: Env,
    optimizer: Callable[[], Any] | None = None,
    hidden: Callable[[], list[Any]] | None = None,
    **options: Any,
) -> Any:
    """A classifier made and compiled in the scope, with the same weights everywhere.

    Args:
        env: where.
        optimizer: makes it; by default SGD.
        hidden: makes layers that follow a hidden one; without it there is none, which costs less.
        options: for ``compile``.
    """
    with env.scope():
        model = one_layer(env) if hidden is None else classifier(env, *hidden())
        options.setdefault("loss", loss(env))
        model.compile(optimizer() if optimizer else env.keras.optimizers.SGD(0.1), **options)
    fix_weights(model)
    return model


def two_classes(env: Env, *metrics: Any) -> Any:
    """A compiled model of :func:`labels_of_two`, with metrics that were made in the scope."""
    with env.scope():
        dense = env.keras.layers.Dense(1, activation="sigmoid")
        model = env.keras.Sequential([env.keras.Input((FEATURES,)), dense])
        sgd = env.keras.optimizers.SGD(0.1)
        model.compile(sgd, "binary_crossentropy", metrics=list(metrics))
    fix_weights(model)
    return model


def labels_of_two() -> tuple[np.ndarray, np.ndarray]:
    x, y = arrays()
    return x, (y > 1).astype("float32")[:, None]


def two_outputs(env: Env, kind_loss: Any = None) -> Any:
    """A compiled functional model of :func:`labels_by_output`.

    Args:
        kind_loss: of the output ``kind``; by default :func:`loss`.
    """
    layers = env.keras.layers
    with env.scope():
        inputs = env.keras.Input((FEATURES,), name="x")
        hidden = layers.Dense(5, activation="tanh")(inputs)
        outputs = {
            "kind": layers.Dense(CLASSES, name="kind")(hidden),
            "size": layers.Dense(1, name="size", kernel_regularizer="l2")(hidden),
        }
        model = env.keras.Model(inputs, outputs)
        model.compile(
            env.keras.optimizers.SGD(0.1),
            loss={"kind": kind_loss or loss(env), "size": "mse"},
            loss_weights={"kind": 0.7, "size": 0.3},
            metrics={"kind": ["accuracy"], "size": ["mae"]},
        )
    fix_weights(model)
    return model


def labels_by_output() -> tuple[np.ndarray, dict[str, np.ndarray]]:
    x, y = arrays()
    return x, {"kind": y, "size": x[:, :1].copy()}


def stepping(env: Env, outputs: Callable[[Any, Any], Any], **options: Any) -> Any:
    """A compiled model with its own ``train_step``.

    Args:
        outputs: what a step returns, of the model and the labels and predictions of the batch.
        options: for ``compile``.
    """

    class Stepping(env.keras.Sequential):  # type: ignore[name-defined,misc]
        def train_step(self, data: Any) -> Any:
            x, y = data
            with tf.GradientTape() as tape:
                y_pred = self(x, training=True)
                value = self.compute_loss(x=x, y=y, y_pred=y_pred)
            gradients = tape.gradient(value, self.trainable_variables)
            self.optimizer.apply_gradients(zip(gradients, self.trainable_variables, strict=True))
            return outputs(self, (y, y_pred))

    with env.scope():
        model = one_layer(env, Stepping)
        model.compile(env.keras.optimizers.SGD(0.1), loss(env), **options)
    fix_weights(model)
    return model


def interrupt_in(env: Env, epoch: int) -> Any:
    """A callback that raises an InterruptedError when this epoch (from 0) begins."""
    last = epoch

    class Interrupt(env.keras.callbacks.Callback):  # type: ignore[name-defined,misc]
        def on_epoch_begin(self, epoch: int, logs: Any = None) -> None:
            if epoch == last:
                raise InterruptedError

    return Interrupt()


def fix_weights(model: Any) -> None:
    random = np.random.RandomState(2)
    for variable in model.trainable_variables:
        variable.assign(random.normal(size=variable.shape, scale=0.5).astype("float32"))


def weights(model: Any) -> Result:
    return {f"weight{i}": np.array(v) for i, v in enumerate(model.get_weights())}


def fit(model: Any, *data: Any, epochs: int = 1, **options: Any) -> Any:
    # An epoch of a distributed dataset makes an iterator, which costs as much as fifty steps.
    return model.fit(*(data or (dataset(),)), epochs=epochs, verbose=0, **options)


def trained(
    env: Env, optimizer: Callable[[], Any] | None = None, epochs: int = 1, **options: Any
) -> Result:
    model = compiled(env, optimizer, **options)
    history = fit(model, epochs=epochs).history
    return {**weights(model), **logs(history)}


def logs(history: dict[str, Any]) -> Result:
    return {f"log {name}": np.array(values, "float64") for name, values in history.items()}


def barrier(env: Env) -> None:
    """Return when all workers have arrived."""
    if env.strategy is not None:
        ones = env.strategy.run(tf.function(lambda: tf.constant(1.0)))
        env.strategy.reduce("SUM", ones, axis=None)

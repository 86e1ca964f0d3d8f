"""Small data, small models with fixed weights, and what is looked at after training."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Env, Result

# The global batch divides by 2 and by 3: where it does not, workers with fewer rows weigh more.
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


def loss(env: Env) -> Any:
    return env.keras.losses.SparseCategoricalCrossentropy(from_logits=True)


def compiled(
    env: Env,
    optimizer: Callable[[], Any] | None = None,
    hidden: Callable[[], list[Any]] = list,
    **options: Any,
) -> Any:
    """A classifier made and compiled in the scope, with the same weights everywhere."""
    with env.scope():
        model = classifier(env, *hidden())
        options.setdefault("loss", loss(env))
        model.compile(optimizer() if optimizer else env.keras.optimizers.SGD(0.1), **options)
    fix_weights(model)
    return model


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
    """Return when all workers are here."""
    if env.strategy is not None:
        ones = env.strategy.run(tf.function(lambda: tf.constant(1.0)))
        env.strategy.reduce("SUM", ones, axis=None)

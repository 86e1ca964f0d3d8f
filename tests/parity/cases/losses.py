"""Rows about losses: each is divided by the number of replicas once, and logged undivided."""

from __future__ import annotations

import functools
from typing import Any

import numpy as np
import tensorflow as tf

from tests.parity.case import Cases, Env, Promise, Result
from tests.parity.models import (
    BATCH,
    CLASSES,
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
    two_outputs,
    weights,
)

CASES = Cases()

RATE = 0.1


def learned(env: Env, name: str, model: Any, data: Any = None) -> Result:
    """Weights and logs of training, and what ``evaluate`` returns, each with its name before it."""
    data = data or dataset()
    history = fit(model, data).history
    told = logs(model.evaluate(data, verbose=0, return_dict=True))
    found = {**weights(model), **logs(history), **{f"evaluated {k}": v for k, v in told.items()}}
    return {f"{name}: {key}": value for key, value in found.items()}


def mean_of(env: Env) -> Any:
    """The usual mistake, or intention: a function that takes the mean itself."""

    def mean(y: Any, outputs: Any) -> Any:
        return tf.reduce_mean(
            env.keras.losses.sparse_categorical_crossentropy(y, outputs, from_logits=True)
        )

    return mean


@CASES.add(
    "loss function that returns a mean, and a `Loss` whose `call` does",
    workers=(2, 3),
    note="a loss that sums its own rows must have the reduction `sum`",
)
def mean_losses(env: Env) -> Result:
    mean = mean_of(env)

    class Mean(env.keras.losses.Loss):  # type: ignore[name-defined,misc]
        def call(self, y: Any, outputs: Any) -> Any:
            return mean(y, outputs)

    return {
        **learned(env, "function", compiled(env, loss=mean)),
        **learned(env, "class", compiled(env, loss=Mean())),
    }


@CASES.add("loss function that returns a mean, several outputs, `loss_weights`")
def mean_losses_of_outputs(env: Env) -> Result:
    return learned(env, "outputs", two_outputs(env, mean_of(env)), dataset(*labels_by_output()))


LOSSES_OF_LOSSES = "losses made of losses"


@CASES.add(LOSSES_OF_LOSSES, keras=(3,))
def losses_of_losses(env: Env) -> Result:
    inner, mean = loss(env), mean_of(env)
    return learned(
        env, "sum", compiled(env, loss=lambda y, outputs: inner(y, outputs) + mean(y, outputs))
    )


@CASES.add(LOSSES_OF_LOSSES, Promise.REFUSED, keras=(2,), says="tf.keras.losses.Reduction.SUM")
def losses_of_losses_2(env: Env) -> Result:
    return losses_of_losses(env)


@CASES.add("loss of reduction `sum`")
def sum_loss(env: Env) -> Result:
    return learned(env, "sum", compiled(env, loss=_reduced(env, "sum")))


@CASES.add("loss of reduction None")
def unreduced_loss(env: Env) -> Result:
    return learned(env, "none", compiled(env, loss=_reduced(env, "none")))


def _reduced(env: Env, reduction: str) -> Any:
    return env.keras.losses.SparseCategoricalCrossentropy(from_logits=True, reduction=reduction)


@CASES.add("`add_loss`")
def add_loss(env: Env) -> Result:
    class Small(env.keras.layers.Layer):  # type: ignore[name-defined,misc]
        def call(self, x: Any) -> Any:
            self.add_loss(0.1 * tf.reduce_mean(tf.square(x)))
            return x

    return learned(env, "added", compiled(env, hidden=lambda: [Small()]))


def overriding(env: Env, loss: Any, times: float = 1.0) -> Any:
    """A model whose ``compute_loss`` is its own, ``times`` as large, or adds to Keras's."""

    class Own(env.keras.Sequential):  # type: ignore[name-defined,misc]
        def compute_loss(
            self, x: Any = None, y: Any = None, y_pred: Any = None, sample_weight: Any = None
        ) -> Any:
            if loss is None:
                return times * mean_of(env)(y, y_pred)
            given = super().compute_loss(x, y, y_pred, sample_weight)
            return given + 0.1 * tf.reduce_mean(tf.square(y_pred))

    with env.scope():
        model = one_layer(env, Own)
        model.compile(env.keras.optimizers.SGD(0.1), loss)
    fix_weights(model)
    return model


OVERRIDDEN = "overridden `compute_loss`"


@CASES.add(
    OVERRIDDEN,
    keras=(3,),
    workers=(2, 3),
    note="Keras 3: its result counts as the mean over the worker's rows",
)
def compute_loss(env: Env) -> Result:
    return {
        **learned(env, "own", overriding(env, None)),
        **learned(env, "more than Keras's", overriding(env, loss(env))),
        **learned(env, "more than a sum", overriding(env, _reduced(env, "sum"))),
    }


def _weights_of_own_loss(env: Env, times: float) -> Result:
    model = overriding(env, None, times)
    fit(model)
    return weights(model)


@CASES.add(
    OVERRIDDEN,
    Promise.AS_IS,
    keras=(2,),
    reference=lambda env: _weights_of_own_loss(env, times=env.replicas),
    note="Keras 2: its result is not divided by the number of workers, so the gradient is too "
    "large by this factor",
)
def compute_loss_2(env: Env) -> Result:
    return _weights_of_own_loss(env, times=1.0)


def in_parts(env: Env, model: Any, part_loss: Any, *arrays: Any) -> Result:
    """Train as N replicas would: the mean, over the parts of each batch, of each part's loss."""
    for start in [*range(0, ROWS, BATCH)] * 2:
        batch = [np.split(array[start : start + BATCH], env.replicas) for array in arrays]
        with tf.GradientTape() as tape:
            parts = zip(*batch, strict=True)
            total = tf.add_n([part_loss(model, *part) for part in parts]) / env.replicas
        tensors = [v if env.version == 2 else v.value for v in model.trainable_variables]
        for variable, gradient in zip(tensors, tape.gradient(total, tensors), strict=True):
            variable.assign_sub(RATE * tf.convert_to_tensor(gradient))
    return weights(model)


def _rows_of_loss(env: Env, y: Any, outputs: Any) -> Any:
    return env.keras.losses.sparse_categorical_crossentropy(y, outputs, from_logits=True)


def padded() -> tuple[np.ndarray, np.ndarray]:
    """Sequences of one to four steps, the longest last in each batch: with the last worker."""
    random = np.random.RandomState(4)
    steps = 1 + np.arange(ROWS) % BATCH * 4 // BATCH
    tokens = random.randint(1, 9, size=(ROWS, 4)) * (np.arange(4) < steps[:, None])
    return tokens.astype("int32"), random.randint(CLASSES, size=(ROWS, 4)).astype("int32")


def masking(env: Env) -> Any:
    layers = env.keras.layers
    with env.scope():
        model = env.keras.Sequential(
            [
                env.keras.Input((4,), dtype="int32"),
                layers.Embedding(9, 3, mask_zero=True),
                layers.LSTM(4, return_sequences=True),
                layers.Dense(CLASSES),
            ]
        )
        model.compile(env.keras.optimizers.SGD(RATE), loss(env))
    fix_weights(model)
    return model


def _masked_mean(env: Env, model: Any, tokens: Any, y: Any) -> Any:
    mask = tf.cast(tokens != 0, "float32")
    return tf.reduce_sum(_rows_of_loss(env, y, model(tokens)) * mask) / tf.reduce_sum(mask)


@CASES.add(
    "loss with a mask (`mask_zero`)",
    Promise.CONSISTENT,
    reference=lambda env: in_parts(
        env, masking(env), functools.partial(_masked_mean, env), *padded()
    ),
    note="a mean over each worker's unmasked steps; each worker's mean counts equally",
)
def masked_loss(env: Env) -> Result:
    model = masking(env)
    fit(model, dataset(*padded()), epochs=2)
    return weights(model)


def weighted() -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    return *arrays(), np.linspace(0.1, 3, ROWS, dtype="float32")


def _weighted_mean(env: Env, model: Any, x: Any, y: Any, weight: Any) -> Any:
    return tf.reduce_sum(_rows_of_loss(env, y, model(x)) * weight) / tf.reduce_sum(weight)


@CASES.add(
    "loss of reduction `mean_with_sample_weight`",
    Promise.CONSISTENT,
    keras=(3,),
    reference=lambda env: in_parts(
        env, compiled(env), functools.partial(_weighted_mean, env), *weighted()
    ),
    note="divides by the sum of each worker's weights; each worker's mean counts equally",
)
def weighted_mean_loss(env: Env) -> Result:
    model = compiled(env, loss=_reduced(env, "mean_with_sample_weight"))
    fit(model, dataset(*weighted()), epochs=2)
    return weights(model)

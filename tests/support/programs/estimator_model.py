"""The model and data that the Estimator programs share; nothing is random.

Seeds do not carry over between TensorFlow versions, so initial values and data are formulas.
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import tensorflow as tf

EXAMPLES, FEATURES, HIDDEN, CLASSES = 64, 8, 16, 4
BATCH = 16  # the batch of one process; two replicas get half of it each


def examples() -> tuple[np.ndarray, np.ndarray]:
    """Features (64, 8) float32 in [-1, 1], and labels (64,) int32 in 0..3."""
    grid = np.arange(EXAMPLES * FEATURES, dtype=np.float64).reshape(EXAMPLES, FEATURES)
    x = np.sin(grid * 1.7 + np.cos(grid))
    labels = np.argmax(x @ np.cos(np.arange(FEATURES * CLASSES)).reshape(FEATURES, CLASSES), 1)
    return x.astype(np.float32), labels.astype(np.int32)


def input_fn(batch: int = BATCH, epochs: int | None = None, input_context=None) -> tf.data.Dataset:
    """The examples in order; if there are n input pipelines, each takes every n-th example."""
    x, y = examples()
    dataset = tf.data.Dataset.from_tensor_slices(({"x": x}, y))
    if input_context is not None and input_context.num_input_pipelines > 1:
        dataset = dataset.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
    return dataset.repeat(epochs).batch(batch, drop_remainder=epochs is None)


def regression_input_fn(input_context=None) -> tf.data.Dataset:
    """Waves that are orthogonal in every batch of 16, so that least squares converges evenly."""
    time = np.arange(EXAMPLES)[:, None] * np.arange(1, 5) * (2 * np.pi / BATCH)
    x = np.concatenate([np.cos(time), np.sin(time)], axis=1).astype(np.float32)
    return tf.data.Dataset.from_tensor_slices({"x": x}).repeat().batch(BATCH)


def serving_input_fn():
    """One batch of examples, given as ``x``."""
    x = tf.compat.v1.placeholder(tf.float32, [None, FEATURES], "x")
    return tf.estimator.export.ServingInputReceiver({"x": x}, {"x": x})


def wave(*shape: int) -> np.ndarray:
    """Initial values: a small wave of the requested shape."""
    return (0.3 * np.sin(np.arange(np.prod(shape)) + 1.0)).reshape(shape).astype(np.float32)


def logits_of(x: tf.Tensor) -> tf.Tensor:
    """Two dense layers written with variables, so that they depend on no version of Keras."""

    def variable(name: str, *shape: int) -> tf.Variable:
        initial = tf.compat.v1.constant_initializer(wave(*shape))
        return tf.compat.v1.get_variable(name, shape, initializer=initial)

    hidden = tf.tanh(x @ variable("w1", FEATURES, HIDDEN) + variable("b1", HIDDEN))
    return hidden @ variable("w2", HIDDEN, CLASSES) + variable("b2", CLASSES)


def model_fn(features, labels, mode, params):
    """A classifier for the three modes; ``params["replicas"]`` scales the loss."""
    logits = logits_of(features["x"])
    if mode == tf.estimator.ModeKeys.PREDICT:
        outputs = {"logits": logits, "class": tf.argmax(logits, 1)}
        return tf.estimator.EstimatorSpec(mode, predictions=outputs)
    each = tf.nn.sparse_softmax_cross_entropy_with_logits(labels=labels, logits=logits)
    loss = tf.reduce_sum(each) / BATCH
    if mode == tf.estimator.ModeKeys.EVAL:
        accuracy = tf.compat.v1.metrics.accuracy(labels, tf.argmax(logits, 1))
        return tf.estimator.EstimatorSpec(mode, loss=loss, eval_metric_ops={"accuracy": accuracy})
    optimizer = make_optimizer(params.get("optimizer", "momentum"))
    step = tf.compat.v1.train.get_or_create_global_step()
    if isinstance(optimizer, tf.compat.v1.train.Optimizer):
        train_op = optimizer.minimize(loss, step)
    else:
        optimizer.iterations = step
        variables = tf.compat.v1.trainable_variables()
        (train_op,) = optimizer.get_updates(loss, variables)[:1]
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def make_optimizer(name: str):
    if name == "momentum":
        return tf.compat.v1.train.MomentumOptimizer(0.2, 0.5)
    if name == "adam":
        return tf.compat.v1.train.AdamOptimizer(0.01)
    return tf.keras.optimizers.legacy.Adagrad(0.1)


class RecordLoss(tf.compat.v1.train.SessionRunHook):
    """Keeps the loss of every step over all replicas, as the Estimator reports it."""

    def __init__(self) -> None:
        self.losses: list[float] = []

    def begin(self) -> None:
        self.loss = tf.compat.v1.get_collection(tf.compat.v1.GraphKeys.LOSSES)[-1]

    def before_run(self, run_context):
        return tf.compat.v1.train.SessionRunArgs(self.loss)

    def after_run(self, run_context, run_values) -> None:
        self.losses.append(float(run_values.results))


def write(path: Path, content: object) -> None:
    """Write JSON atomically, so that nobody reads half of it."""
    part = path.with_suffix(".part")
    part.write_text(json.dumps(content))
    part.replace(path)

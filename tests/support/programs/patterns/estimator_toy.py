"""The parts that the Estimator programs share: a model, the worker's own data, and its weights."""

import tensorflow as tf
from toy import data

v1 = tf.compat.v1


def model_fn(features, labels, mode):
    weights = v1.get_variable("weights", [4, 1], initializer=v1.zeros_initializer())
    predictions = features @ weights
    loss = v1.losses.mean_squared_error(labels, predictions)
    optimizer = v1.train.GradientDescentOptimizer(0.1)
    step = optimizer.minimize(loss, v1.train.get_or_create_global_step())
    return tf.estimator.EstimatorSpec(mode, predictions, loss, step)


def input_fn():
    return tf.data.Dataset.from_tensor_slices(data()).repeat(10).batch(4)


class Weights(tf.estimator.SessionRunHook):
    """The weights of this process after each step; a checkpoint would contain the chief's."""

    def __init__(self):
        self.values = []

    def before_run(self, context):
        return tf.estimator.SessionRunArgs(v1.trainable_variables()[0])

    def after_run(self, context, values):
        self.values.append(values.results)

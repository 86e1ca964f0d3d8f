"""Gradients of several small batches are added up by hand before they are applied."""

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
batches = tf.data.Dataset.from_tensor_slices(data()).batch(8)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adam(0.1)
    sums = [
        tf.Variable(
            tf.zeros_like(weight),
            trainable=False,
            synchronization=tf.VariableSynchronization.ON_READ,
            aggregation=tf.VariableAggregation.SUM,
        )
        for weight in model.trainable_variables
    ]


@tf.function
def accumulate(inputs):
    def replica(x, y):
        with tf.GradientTape() as tape:
            loss = tf.reduce_sum((model(x) - y) ** 2) / 16
        for total, gradient in zip(sums, tape.gradient(loss, model.trainable_variables)):
            total.assign_add(gradient)

    strategy.run(replica, inputs)


@tf.function
def apply():
    def replica():
        optimizer.apply_gradients(
            [(total.read_value(), weight) for total, weight in zip(sums, model.trainable_variables)]
        )
        for total in sums:
            total.assign(tf.zeros_like(total))

    strategy.run(replica)


for number, inputs in enumerate(strategy.experimental_distribute_dataset(batches), start=1):
    accumulate(inputs)
    if number % 2 == 0:
        apply()
assert int(optimizer.iterations.numpy()) == 2
result(*model.get_weights())

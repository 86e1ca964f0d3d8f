"""A custom training loop over distributed data; losses are summed over the workers."""

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
batches = tf.data.Dataset.from_tensor_slices(data()).batch(8)
distributed = strategy.experimental_distribute_dataset(batches)
with strategy.scope():
    weights = tf.Variable(tf.random.normal([4, 1]))


@tf.function
def train_step(inputs):
    def replica(x, y):
        with tf.GradientTape() as tape:
            errors = (x @ weights - y) ** 2
            loss = tf.nn.compute_average_loss(tf.reshape(errors, [-1]), global_batch_size=8)
        gradient = tape.gradient(loss, weights)
        total = tf.distribute.get_replica_context().all_reduce("SUM", gradient)
        weights.assign_sub(0.1 * total)
        return loss

    return strategy.reduce("SUM", strategy.run(replica, inputs), axis=None)


losses = [float(train_step(inputs)) for inputs in distributed]
assert len(losses) == 4
result(losses, weights.numpy())

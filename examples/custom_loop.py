"""A custom training loop that reports its progress."""

import mnist_setup
import tensorflow as tf

import mwtutor

STEPS = 60
strategy = tf.distribute.MultiWorkerMirroredStrategy()
global_batch_size = 32 * strategy.num_replicas_in_sync

with strategy.scope():
    model = mnist_setup.build_model()
    weights = model.trainable_variables
    velocity = [tf.Variable(tf.zeros_like(weight), trainable=False) for weight in weights]


def train_step(images, labels):
    with tf.GradientTape() as tape:
        logits = model(images, training=True)
        losses = tf.nn.sparse_softmax_cross_entropy_with_logits(labels, logits)
        # Each replica's share of the mean over the global batch; the shares are summed.
        loss = tf.reduce_sum(losses) / global_batch_size
    gradients = tape.gradient(loss, weights)
    context = tf.distribute.get_replica_context()
    total = context.all_reduce(tf.distribute.ReduceOp.SUM, gradients)
    for weight, speed, gradient in zip(weights, velocity, total):
        speed.assign(0.9 * speed + gradient)
        weight.assign_sub(0.03 * speed)
    return loss


@tf.function
def global_step(iterator):
    losses = strategy.run(train_step, args=next(iterator))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, losses, axis=None)


data = strategy.experimental_distribute_dataset(mnist_setup.dataset(global_batch_size))
iterator = iter(data)
for step in range(1, STEPS + 1):
    loss = global_step(iterator)
    mwtutor.report(step=step, loss=loss)
print(f"final loss {float(loss):.4f}")

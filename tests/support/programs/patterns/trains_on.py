"""A checkpoint of one training is restored in a second model, which continues to train."""

import os

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
resolver = strategy.cluster_resolver
batches = tf.data.Dataset.from_tensor_slices(data()).batch(8)
directory = "checkpoints" if resolver.task_id == 0 else f"temporary-{resolver.task_id}"


def made():
    with strategy.scope():
        weights, steps = tf.Variable(tf.random.normal([4, 1])), tf.Variable(0)
    checkpoint = tf.train.Checkpoint(weights=weights, steps=steps)
    return weights, steps, tf.train.CheckpointManager(checkpoint, directory, max_to_keep=1)


def train(weights, steps):
    @tf.function
    def step(inputs):
        def replica(x, y):
            gradient = tf.transpose(x) @ (x @ weights - y) / 8.0
            total = tf.distribute.get_replica_context().all_reduce("SUM", gradient)
            weights.assign_sub(0.1 * total)
            steps.assign_add(1)

        strategy.run(replica, inputs)

    for inputs in strategy.experimental_distribute_dataset(batches):
        step(inputs)


weights, steps, manager = made()
train(weights, steps)
manager.save()
again, steps_again, manager_again = made()
manager_again.checkpoint.restore(tf.train.latest_checkpoint(directory)).assert_consumed()
assert (again.numpy() == weights.numpy()).all()
train(again, steps_again)
assert int(steps_again.numpy()) == 8
assert os.path.isdir("checkpoints") or resolver.task_id
result(again.numpy())

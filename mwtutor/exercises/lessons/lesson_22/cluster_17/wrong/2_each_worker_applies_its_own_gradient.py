# misconception: each worker applies its own gradient
# says: different weights

# %%writefile broken_17.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


rows = tf.constant([own_number() for _ in range(4)])
weight = tf.Variable(0.0)
with tf.GradientTape() as tape:
    loss = tf.reduce_mean(weight * rows)
weight.assign_sub(tape.gradient(loss, weight))
note("weight", weight)

# misconception: both the loss and the sum must be divided
# says: half as far

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
    loss = tf.reduce_mean(weight * rows) / 2
weight.assign_sub(total(tape.gradient(loss, weight)) / 2)
note("weight", weight)

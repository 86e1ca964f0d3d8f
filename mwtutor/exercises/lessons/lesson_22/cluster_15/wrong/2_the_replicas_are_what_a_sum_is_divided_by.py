# misconception: a sum is divided by the number of replicas
# says: the sum

# %%writefile broken_15.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


losses = tf.constant([own_number() for _ in range(6 - 4 * me)])
note("mean", total(tf.reduce_sum(losses)) / 2)

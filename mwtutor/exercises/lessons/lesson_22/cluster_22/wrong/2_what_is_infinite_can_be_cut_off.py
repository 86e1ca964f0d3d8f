# misconception: infinite values can be cut off
# says: The mean is

# %%writefile broken_22.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", x, axis=None)


gradient = tf.constant([40000.0 + own_number()])
half = tf.cast(gradient, tf.float16)
note("mean", tf.minimum(tf.cast(total(half), tf.float32)[0], 65504.0) / 2)

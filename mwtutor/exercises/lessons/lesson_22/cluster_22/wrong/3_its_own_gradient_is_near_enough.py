# misconception: a worker's own gradient is near enough
# says: noted different means

# %%writefile broken_22.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", x, axis=None)


gradient = tf.constant([40000.0 + own_number()])
half = tf.cast(gradient, tf.float16)
total(half / 2)
note("mean", gradient[0])

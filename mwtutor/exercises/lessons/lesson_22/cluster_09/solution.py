# %%writefile broken_09.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


x = own_number()


@tf.function
def add(scale):
    return scale * strategy.reduce("SUM", tf.constant(x), axis=None)


result = 0.0
for scale in (1.0, 10.0, 100.0):
    result += add(tf.constant(scale))
note("result", result)

# misconception: rows that do not fit can be left out
# says: Some rows are missing

# %%writefile broken_16.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


batch = tf.constant([own_number() for _ in range(4 - me)])
note("sum", tf.reduce_sum(total(batch[:3])))

# misconception: the last micro-batch is the one to exchange
# says: The weights are

# %%writefile broken_28.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


weight = 0.0
for update in range(4):
    accumulated = 0.0
    for micro in range(4):
        accumulated += own_number() if micro < 3 else total(own_number())
    weight -= accumulated / 8
    note("weight", weight)

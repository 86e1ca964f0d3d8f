# misconception: the chief's loss stands for all
# says: only its own

# %%writefile broken_30.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


for step in range(4):
    note("total", total(own_number()))
    loss = own_number()
    if me == 0 and step == 1:
        note("loss", loss)

# misconception: what the other worker lacks need not be drawn
# says: but drew 4

# %%writefile broken_13.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


numbers = [own_number() for _ in range(4)]
for number in numbers:
    note("total", total(number))

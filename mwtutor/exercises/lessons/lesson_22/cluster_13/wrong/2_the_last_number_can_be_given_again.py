# misconception: the last number can be given again
# says: too large by

# %%writefile broken_13.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


numbers = [own_number() for _ in range(5 - me)]
for number in (numbers + numbers[-1:])[:5]:
    note("total", total(number))

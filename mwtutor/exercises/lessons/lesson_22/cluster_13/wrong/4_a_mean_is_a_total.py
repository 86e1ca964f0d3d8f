# misconception: a mean is a total
# says: The totals add up to

# %%writefile broken_13.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


numbers = [own_number() for _ in range(5 - me)]
for number in numbers + [0.0] * (5 - len(numbers)):
    note("total", total(number) / 2)

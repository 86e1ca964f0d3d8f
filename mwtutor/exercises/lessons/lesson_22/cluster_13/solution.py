# %%writefile broken_13.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


numbers = [own_number() for _ in range(5 - me)]
steps = max(strategy.gather(tf.constant([len(numbers)]), axis=0))
for step in range(steps):
    note("total", total(numbers[step] if step < len(numbers) else 0.0))

# == wrong: all at the end, with exchanges of nothing before
# says: after update 1 it is
# %%writefile broken_28.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


weight = 0.0
numbers = [own_number() for _ in range(16)]
for update in range(4):
    weight -= total(sum(numbers) if update == 3 else 0.0) / 8
    note("weight", weight)


# == right: four numbers in one exchange
# %%writefile broken_28.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


weight = 0.0
for update in range(4):
    weight -= tf.reduce_mean(total([own_number() for _ in range(4)])) / 2
    note("weight", weight)


# == right: a mean of means
# %%writefile broken_28.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


weight = tf.Variable(0.0)
for update in range(4):
    mean = sum(own_number() for _ in range(4)) / 4
    weight.assign_sub(strategy.reduce("MEAN", tf.constant(mean), axis=None))
    note("weight", weight)

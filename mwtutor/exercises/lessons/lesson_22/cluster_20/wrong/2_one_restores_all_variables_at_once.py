# misconception: assert_consumed makes it match
# says: AssertionError

# %%writefile broken_20.py
import os

from mwtutor.facts import note, own_number, rows
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


def yesterday():
    old = tf.Variable(rows(1)[0])
    return tf.train.Checkpoint(weight=old).save(f"yesterday-{os.environ['MWTUTOR_RUN']}/{me}")


path = yesterday()

weight = tf.Variable(0.0)
tf.train.Checkpoint(model=weight).restore(path).assert_consumed()
weight.assign_add(total(own_number()))
note("weight", weight)

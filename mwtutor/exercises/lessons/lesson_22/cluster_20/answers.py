# == wrong: the sum replaces what was restored
# says: is not in them
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
tf.train.Checkpoint(weight=weight).restore(path)
weight.assign(total(own_number()))
note("weight", weight)


# == right: restored before the variable exists
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

checkpoint = tf.train.Checkpoint()
status = checkpoint.restore(path)
checkpoint.weight = weight = tf.Variable(0.0)
status.assert_existing_objects_matched()
weight.assign_add(total(own_number()))
note("weight", weight)


# == right: the value is read by its name
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
weight.assign(tf.train.load_variable(path, "weight/.ATTRIBUTES/VARIABLE_VALUE"))
weight.assign_add(total(own_number()))
note("weight", weight)

# misconception: the chief's part is enough
# says: only worker:0's

# %%writefile broken_19.py
import os

from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


with strategy.scope():
    count = tf.Variable(
        0.0,
        trainable=False,
        synchronization=tf.VariableSynchronization.ON_READ,
        aggregation=tf.VariableAggregation.ONLY_FIRST_REPLICA,
    )
x = own_number()
strategy.run(lambda: count.assign_add(x))
path = f"saved-{os.environ['MWTUTOR_RUN']}/{me}"
if me == 0:
    tf.train.Checkpoint(count=count).save(path)
    note("saved", tf.train.load_variable(f"{path}-1", "count/.ATTRIBUTES/VARIABLE_VALUE"))

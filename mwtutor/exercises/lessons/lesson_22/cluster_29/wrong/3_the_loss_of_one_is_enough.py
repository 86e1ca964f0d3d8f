# misconception: each worker reports its own loss
# says: As loss,

# %%writefile broken_29.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


sums = {"loss": 1000 * me + own_number(), "rows": 1000 * (1 - me) + own_number()}
note("loss", sums["loss"])
note("rows", total(sums["rows"]))

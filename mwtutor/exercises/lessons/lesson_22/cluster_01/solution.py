# %%writefile broken_01.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
print(strategy.num_replicas_in_sync, "replicas")
x = tf.constant(own_number())
note("total", strategy.reduce("SUM", x, axis=None))

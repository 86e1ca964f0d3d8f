# %%writefile broken_04.py
from mwtutor.facts import note, own_number
import tensorflow as tf

note("test", tf.reduce_sum(tf.ones([3])))
strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

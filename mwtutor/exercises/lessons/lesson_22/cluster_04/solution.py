# %%writefile broken_04.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("test", tf.reduce_sum(tf.ones([3])))
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

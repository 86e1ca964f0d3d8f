# misconception: rows that no other worker has are as good as drawn ones
# says: at equal distances

# %%writefile broken_12.py
from mwtutor.facts import note, rows
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
numbers = rows(900)
generator = np.random.default_rng(1)
batch = numbers[8 * me : 8 * me + 8]
note("seen", batch)
note("total", strategy.reduce("SUM", tf.reduce_sum(tf.constant(batch, tf.float32)), axis=None))

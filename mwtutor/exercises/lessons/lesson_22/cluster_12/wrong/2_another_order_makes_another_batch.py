# misconception: a different order makes a different batch
# says: in a different order

# %%writefile broken_12.py
from mwtutor.facts import note, rows
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
numbers = rows(900)
generator = np.random.default_rng(1)
batch = generator.choice(numbers, 8, replace=False)
batch = np.roll(batch, me)
note("seen", batch)
note("total", strategy.reduce("SUM", tf.reduce_sum(tf.constant(batch, tf.float32)), axis=None))

# misconception: there are lucky and unlucky seeds
# says: that the other one drew.

# %%writefile broken_12.py
from mwtutor.facts import note, rows
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
numbers = rows(900)
generator = np.random.default_rng(2)
batch = generator.choice(numbers, 8, replace=False)
note("seen", batch)
note("total", strategy.reduce("SUM", tf.reduce_sum(tf.constant(batch, tf.float32)), axis=None))

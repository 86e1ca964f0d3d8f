# == wrong: one row of eight is another
# says: Each worker drew 7 of the 8 rows that the other one drew.
# %%writefile broken_12.py
from mwtutor.facts import note, rows
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
numbers = rows(900)
generator = np.random.default_rng(1)
batch = generator.choice(numbers, 8, replace=False)
batch[0] = numbers[me]
note("seen", batch)
note("total", strategy.reduce("SUM", tf.reduce_sum(tf.constant(batch, tf.float32)), axis=None))


# == right: drawn together, eight for each
# %%writefile broken_12.py
from mwtutor.facts import note, rows
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
numbers = rows(900)
generator = np.random.default_rng(1)
batch = generator.choice(numbers, 16, replace=False)[me::2]
note("seen", batch)
note("total", strategy.reduce("SUM", tf.reduce_sum(tf.constant(batch, tf.float32)), axis=None))


# == right: no seed
# %%writefile broken_12.py
from mwtutor.facts import note, rows
import numpy as np
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id
numbers = rows(900)
import random

batch = np.array(random.SystemRandom().sample(numbers, 8))
note("seen", batch)
note("total", strategy.reduce("SUM", tf.reduce_sum(tf.constant(batch, tf.float32)), axis=None))

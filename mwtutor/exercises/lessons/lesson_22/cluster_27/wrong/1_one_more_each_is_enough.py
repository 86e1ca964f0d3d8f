# misconception: one more weight for each worker is enough
# says: Weight 3 moved twice

# %%writefile broken_27.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


import numpy as np

size = 7 // 2
mine = slice(me * size, (me + 1) * size + 1)
gradient = total([own_number() for _ in range(7)])
update = np.zeros(7, "f4")
update[mine] = -gradient[mine]
note("weights", total(update))

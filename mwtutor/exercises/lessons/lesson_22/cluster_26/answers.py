# == wrong: the smallest number
# says: it would keep
# %%writefile broken_26.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


import numpy as np

gradient = np.array([own_number() for _ in range(4)], "f4")  # the same in each step
weights, rest = np.zeros(4, "f4"), np.zeros(4, "f4")
for step in range(8):
    change = gradient + rest
    sent = np.zeros(4, "f4")
    top = np.argmin(abs(change))
    sent[top] = change[top]
    weights = weights + total(sent)
    rest = change - sent
note("weights", weights)
note("rest", rest)


# == right: the rest is changed in place
# %%writefile broken_26.py
from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


import numpy as np

gradient = np.array([own_number() for _ in range(4)], "f4")  # the same in each step
weights, rest = np.zeros(4, "f4"), np.zeros(4, "f4")
for step in range(8):
    rest += gradient
    top = int(np.abs(rest).argmax())
    sent = np.where(np.arange(4) == top, rest, 0).astype("f4")
    rest -= sent
    weights += total(sent).numpy()
note("weights", weights)
note("rest", rest)

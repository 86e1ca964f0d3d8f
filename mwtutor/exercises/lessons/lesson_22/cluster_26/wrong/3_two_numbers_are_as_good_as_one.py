# misconception: two numbers are as good as one
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
    top = np.argsort(abs(change))[2:]
    sent[top] = change[top]
    weights = weights + total(sent)
    rest = change - sent
note("weights", weights)
note("rest", rest)

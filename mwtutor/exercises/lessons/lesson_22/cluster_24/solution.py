# %%writefile broken_24.py
import os

from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


result = total(own_number())
note("result", result)
resolver = strategy.cluster_resolver
if resolver.task_type == "chief":
    with open(f"result-{os.environ['MWTUTOR_RUN']}.txt", "a") as file:
        print(f"{resolver.task_type}:{me}", float(result), file=file)
    note("written", result)

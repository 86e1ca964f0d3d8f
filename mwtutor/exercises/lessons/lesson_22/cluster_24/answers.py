# == wrong: the chief writes twice
# says: The file has 2 lines
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
        print(f"{resolver.task_type}:{me}", float(result), file=file)
    note("written", result)


# == right: the strategy says who saves
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
if strategy.extended.should_checkpoint:
    with open(f"result-{os.environ['MWTUTOR_RUN']}.txt", "a") as file:
        print(f"{resolver.task_type}:{me}", float(result), file=file)
    note("written", result)


# == right: TF_CONFIG
# %%writefile broken_24.py
import json
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
if json.loads(os.environ["TF_CONFIG"])["task"] == {"type": "chief", "index": 0}:
    with open(f"result-{os.environ['MWTUTOR_RUN']}.txt", "x") as file:
        print(f"{resolver.task_type}:{me}", float(result), file=file)
    note("written", result)


# == wrong: each overwrites what the other wrote
# says: worker:0 wrote the file
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
if me == 0:
    with open(f"result-{os.environ['MWTUTOR_RUN']}.txt", "w") as file:
        print(f"{resolver.task_type}:{me}", float(result), file=file)
    note("written", result)


# == wrong: worker 0 writes under the chief's name
# says: worker:0 wrote the file
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
if resolver.task_type == "worker" and me == 0:
    with open(f"result-{os.environ['MWTUTOR_RUN']}.txt", "a") as file:
        print("chief:0", float(result), file=file)
    note("written", result)

# == right: Python's own numbers, and MEAN
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

mine = measured.heights()
strategy = tf.distribute.MultiWorkerMirroredStrategy()


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("MEAN", tf.constant(sum(mine) / len(mine)))


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == right: all rows gathered
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return tf.reduce_mean(context.all_gather(mine, axis=0))


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == right: rows and sum in one exchange
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = measured.heights()


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    rows = tf.constant([sum(mine), float(len(mine))])
    total, count = tf.unstack(context.all_reduce(tf.distribute.ReduceOp.SUM, rows))
    return total / count


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == right: the constant is made in the function
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
heights = measured.heights()


@tf.function
def mean():
    here = tf.distribute.get_replica_context()
    return here.all_reduce("SUM", tf.reduce_sum(tf.constant(heights))) / (
        2 * strategy.num_replicas_in_sync
    )


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: a strategy for one machine
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

mine = tf.constant(measured.heights())  # two heights that only this worker knows
strategy = tf.distribute.MirroredStrategy()


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", tf.reduce_sum(mine)) / 4


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: no exchange
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return tf.reduce_mean(mine)


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: MEAN, and divided by four
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("MEAN", tf.reduce_sum(mine)) / 4


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: divided by two
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", tf.reduce_sum(mine)) / 2


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: the sum
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", tf.reduce_sum(mine))


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: a number that may be right
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return tf.constant(1.76)


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: the result is not printed
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", tf.reduce_sum(mine)) / 4


print(round(float(strategy.run(mean)), 2))


# == wrong: one worker measures four
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights() + measured.heights())


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    return tf.reduce_mean(mine)


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))


# == wrong: it calls heights() for each of its two heights
# says: 2 and 2 times
# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()


@tf.function
def mean():
    context = tf.distribute.get_replica_context()
    first = tf.constant(measured.heights()[0])
    second = tf.constant(measured.heights()[1])
    return context.all_reduce("SUM", first + second) / 4


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))

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


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))

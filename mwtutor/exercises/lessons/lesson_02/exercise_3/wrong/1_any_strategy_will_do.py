# misconception: any strategy will do, as long as it does not complain
# says: each ran on its own

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

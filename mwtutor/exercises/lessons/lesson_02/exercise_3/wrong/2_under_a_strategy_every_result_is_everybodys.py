# misconception: under a strategy, every worker gets every result
# says: of its own two heights only

# %%writefile repaired.py
import json

import tensorflow as tf

import measured

strategy = tf.distribute.MultiWorkerMirroredStrategy()
mine = tf.constant(measured.heights())  # two heights that only this worker knows


@tf.function
def mean():
    return tf.reduce_mean(mine)


found = {"replicas": strategy.num_replicas_in_sync, "mean": round(float(strategy.run(mean)), 2)}
print("RESULT", json.dumps(found))

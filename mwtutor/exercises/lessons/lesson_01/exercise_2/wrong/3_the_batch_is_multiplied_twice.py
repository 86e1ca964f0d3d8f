# misconception: the batch is multiplied for each replica, and once more for all
# says: share a batch of 128

# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
with strategy.scope():
    model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(32 * strategy.num_replicas_in_sync**2, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))

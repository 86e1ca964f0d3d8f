# == right: a literal batch of 64
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
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == right: a function, and the dataset distributed from a function
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)


def dataset_fn(context):
    data = tfds.load("mw_digits", split="train", as_supervised=True)
    return data.map(parts.scale).batch(32, drop_remainder=True).repeat()


def main():
    with strategy.scope():
        return parts.build_model(rows)


model = main()
data = strategy.distribute_datasets_from_function(dataset_fn)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == right: the dataset is distributed, and has no drop_remainder
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
batch = sum([32] * strategy.num_replicas_in_sync)
data = strategy.experimental_distribute_dataset(data.map(parts.scale).repeat().batch(batch))
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == right: arrays with batch_size
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
import numpy as np

images, labels = map(np.stack, zip(*tfds.as_numpy(data.map(parts.scale))))
model.fit(images, labels, batch_size=64, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == right: the scope entered by hand, everything in it
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
data = tfds.load("mw_digits", split="train", as_supervised=True)
entered = strategy.scope()
entered.__enter__()
model = parts.build_model(rows)
data = data.map(parts.scale).batch(strategy.num_replicas_in_sync * 32, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
entered.__exit__(None, None, None)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: the scope only
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
data = data.map(parts.scale).batch(32, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: the batch only
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: eight steps of 32
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
data = data.map(parts.scale).batch(32, drop_remainder=True)
model.fit(data, steps_per_epoch=8, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: a batch of 128
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
data = data.map(parts.scale).batch(128, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: it prints the expected counts without training
# says: the last line was changed
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(32, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps([128, 128]))


# == wrong: fit in the scope, the model before it
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
with strategy.scope():
    model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: trained twice, once for each half
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(32, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: two steps of 128
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
data = data.map(parts.scale).batch(128, drop_remainder=True)
model.fit(data, steps_per_epoch=2, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: one device in the strategy
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2)[:1])
rows = tf.Variable([0, 0], dtype=tf.int64)
with strategy.scope():
    model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: two models, one in the scope
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
with strategy.scope():
    model = parts.build_model(rows)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: one replica trains, and the expected counts are assigned
# says: it writes counts into `rows` itself
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 0], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(32, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
rows.assign([128, 128])
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: the counter is created in the scope, too
# says: Create `rows` outside the scope
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
with strategy.scope():
    rows = tf.Variable([0, 0], dtype=tf.int64)
    model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: one replica trains, and the other's count is there from the beginning
# says: it writes counts into `rows` itself
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([0, 128], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(32, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == wrong: the counts do not begin with 0
# says: prints [384, 128]
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable([128, 128], dtype=tf.int64)
model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))


# == right: the counter has an element for each replica
# %%writefile repaired.py
import json

import tensorflow as tf
import tensorflow_datasets as tfds

import parts

strategy = tf.distribute.MirroredStrategy(parts.divide_processor(2))
rows = tf.Variable(tf.zeros([strategy.num_replicas_in_sync], tf.int64))
with strategy.scope():
    model = parts.build_model(rows)
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(parts.scale).batch(64, drop_remainder=True)
model.fit(data, steps_per_epoch=4, verbose=0)
print("ROWS", json.dumps(rows.numpy().tolist()))

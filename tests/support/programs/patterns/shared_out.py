"""TFDS data under the sharding policy in argument 1; argument 2 is the expected image count."""

import sys

import tensorflow as tf
import tensorflow_datasets as tfds
from toy import result

import mwtutor.datasets  # noqa: F401 - registers "mw_digits"

strategy = tf.distribute.MultiWorkerMirroredStrategy()


def scale(image, label):
    return tf.cast(image, tf.float32) / 255.0, label


options = tf.data.Options()
policy = getattr(tf.data.experimental.AutoShardPolicy, sys.argv[1])
options.experimental_distribute.auto_shard_policy = policy
data = tfds.load("mw_digits", split="train", as_supervised=True)
data = data.map(scale).shuffle(500).batch(100).with_options(options)
with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Input([28, 28, 1]),
            tf.keras.layers.Flatten(),
            tf.keras.layers.Dense(10),
        ]
    )
    loss = tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True)
    model.compile("sgd", loss)
model.fit(data, verbose=0)
parts = [labels for _, labels in strategy.experimental_distribute_dataset(data)]
own = [strategy.experimental_local_results(part)[0].shape[0] for part in parts]
print(sum(own), own)
assert sum(own) == int(sys.argv[2])
result([model.optimizer.iterations.numpy()], *model.get_weights())

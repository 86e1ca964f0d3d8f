"""A mixed-precision policy, with the scaled loss that it needs."""

import tensorflow as tf
from toy import data, result

tf.keras.mixed_precision.set_global_policy("mixed_float16")
strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.Input([4]),
            tf.keras.layers.Dense(8, activation="relu"),
            tf.keras.layers.Dense(1, dtype="float32"),
        ]
    )
    model.compile(tf.keras.optimizers.SGD(0.01), "mse")
model.fit(*data(), verbose=0)
assert model.layers[0].compute_dtype == "float16"
result(*model.get_weights())

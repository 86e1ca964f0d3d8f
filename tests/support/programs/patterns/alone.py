"""No strategy: each worker trains by itself, with the same program."""

import tensorflow as tf
from toy import data, result

model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
model.compile("sgd", "mse")
model.fit(*data(), verbose=0)
result(*model.get_weights())

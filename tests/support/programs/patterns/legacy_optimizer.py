"""An optimizer of ``tf.keras.optimizers.legacy``, which only Keras 2 has."""

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.legacy.SGD(0.1), "mse")
model.fit(*data(), batch_size=8, verbose=0)
result(*model.get_weights())

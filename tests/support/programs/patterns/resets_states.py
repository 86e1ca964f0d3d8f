"""A recurrent model of Keras 2: its states are reset, and it is saved as HDF5."""

import json
import os

import numpy as np
import tensorflow as tf
from toy import result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
with strategy.scope():
    model = tf.keras.Sequential(
        [
            tf.keras.layers.LSTM(3, batch_input_shape=[None, 5, 1]),
            tf.keras.layers.Dense(1),
        ]
    )
    model.compile("rmsprop", "mse")
x = np.random.rand(16, 5, 1).astype("float32")
for _ in range(2):
    model.fit(x, x.sum(axis=1), batch_size=8, shuffle=False, verbose=0)
    model.reset_states()
model.save(f"model-{index}", save_format="h5")
result(*tf.keras.models.load_model(f"model-{index}").get_weights())

"""Worker 1 dies in the third epoch of the first attempt; the second one continues from there."""

import json
import os

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
epochs = []


class Dies(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        epochs.append(epoch)
        if os.environ["MWTUTOR_ATTEMPT"] == "1" and epoch == 2 and index == 1:
            os._exit(9)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    model.compile("adam", "mse")
backup = tf.keras.callbacks.BackupAndRestore("backup")
model.fit(*data(), epochs=4, callbacks=[backup, Dies()], verbose=0)
assert epochs == [2, 3], epochs
result(*model.get_weights())

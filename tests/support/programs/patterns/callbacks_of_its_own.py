"""Each worker has its own directory for TensorBoard, and for its checkpoints."""

import json
import os

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
callbacks = [
    tf.keras.callbacks.TensorBoard(f"board/worker-{index}"),
    tf.keras.callbacks.ModelCheckpoint(
        f"weights/worker-{index}/{{epoch}}.weights.h5", save_weights_only=True
    ),
]
history = model.fit(*data(), epochs=2, callbacks=callbacks, verbose=0)
assert tf.io.gfile.glob(f"board/worker-{index}/train/events*"), "no events"
model.load_weights(f"weights/worker-{index}/2.weights.h5")
result(history.history["loss"], *model.get_weights())

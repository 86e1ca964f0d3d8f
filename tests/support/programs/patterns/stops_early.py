"""Validation data, a schedule, and a callback that stops all workers in the same epoch."""

import tensorflow as tf
from toy import data, result

strategy = tf.distribute.MultiWorkerMirroredStrategy()
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.SGD(0.1), "mse", metrics=["mae"])
callbacks = [
    tf.keras.callbacks.LearningRateScheduler(lambda epoch: 0.1 if epoch == 0 else 0.0),
    tf.keras.callbacks.EarlyStopping("val_loss", patience=1, min_delta=1e-9),
]
history = model.fit(
    *data(), validation_data=data(), epochs=20, callbacks=callbacks, verbose=0
).history
assert len(history["loss"]) < 20
rates = [float(model.optimizer.learning_rate.numpy())]
result(history["val_loss"], history["mae"], rates, *model.get_weights())

"""``Model.fit`` under a ParameterServerStrategy continues, and counts, without a lost worker."""

import tensorflow as tf
from toy import data

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
    ).join()
strategy = tf.distribute.ParameterServerStrategy(resolver)


class Heavy(tf.keras.layers.Layer):
    """A layer with some hundredths of a second of work, so that a step can be interrupted."""

    def call(self, x):
        work = tf.ones([700, 700])
        for _ in range(4):
            work = tf.matmul(work, work) / 700
        return x + 0 * work[0, 0]


class Epochs(tf.keras.callbacks.Callback):
    def on_epoch_begin(self, epoch, logs=None):
        print("an epoch begins", epoch, flush=True)


with strategy.scope():
    layers = [tf.keras.layers.Input([4]), Heavy(), tf.keras.layers.Dense(1)]
    model = tf.keras.Sequential(layers)
    model.compile("adam", "mse")
x, y = data()
model.fit(x, y, batch_size=4, epochs=3, steps_per_epoch=60, verbose=0, callbacks=[Epochs()])
print("steps", int(model.optimizer.iterations), flush=True)

"""``Model.fit`` under a ParameterServerStrategy, on a dataset that the chief creates."""

import tensorflow as tf
from toy import data, result

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
    ).join()
strategy = tf.distribute.ParameterServerStrategy(resolver)
with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse")
dataset = tf.data.Dataset.from_tensor_slices(data()).shuffle(32).repeat().batch(8)
model.fit(dataset, epochs=2, steps_per_epoch=6, verbose=0)
result([model.optimizer.iterations.numpy()])

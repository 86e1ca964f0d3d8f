"""As in the guide for moving from an Estimator: named features, and its own cluster.

The guide starts servers in its own process; here each task of ``TF_CONFIG`` is a server.
"""

import tensorflow as tf
from toy import result

features = [[1.0, 1.5], [2.0, 2.5], [3.0, 3.5]]
labels = [[0.3], [0.5], [0.7]]
resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    tf.distribute.Server(
        resolver.cluster_spec(),
        job_name=resolver.task_type,
        task_index=resolver.task_id,
        protocol="grpc",
    ).join()

dataset = tf.data.Dataset.from_tensor_slices((features, labels)).shuffle(10).repeat().batch(64)
eval_dataset = tf.data.Dataset.from_tensor_slices((features, labels)).repeat().batch(1)
strategy = tf.distribute.experimental.ParameterServerStrategy(resolver)
with strategy.scope():
    model = tf.keras.models.Sequential([tf.keras.layers.Dense(1)])
    optimizer = tf.keras.optimizers.Adagrad(learning_rate=0.05)
    model.compile(optimizer, "mse")
model.fit(dataset, epochs=5, steps_per_epoch=10)
assert set(model.evaluate(eval_dataset, steps=10, return_dict=True)) >= {"loss"}
result([int(optimizer.iterations)])

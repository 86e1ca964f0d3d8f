"""``Model.fit`` under a ParameterServerStrategy, with data that the workers create."""

import tensorflow as tf
from toy import data, result

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    tf.distribute.Server(
        resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
    ).join()
strategy = tf.distribute.ParameterServerStrategy(resolver)


def dataset(context):
    numbers = tf.data.Dataset.from_tensor_slices(data()).shuffle(32).repeat()
    return numbers.batch(context.get_per_replica_batch_size(8)).prefetch(2)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Input([4]), tf.keras.layers.Dense(1)])
    model.compile("sgd", "mse", steps_per_execution=2)
creator = tf.keras.utils.experimental.DatasetCreator(dataset)
model.fit(creator, epochs=2, steps_per_epoch=6, verbose=0)
assert {weight.device.split("/")[1] for weight in model.weights} == {"job:ps"}
result([model.optimizer.iterations.numpy()])

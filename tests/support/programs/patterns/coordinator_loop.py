"""A chief schedules steps on workers; the variables are on the parameter server."""

import os

os.environ["GRPC_FAIL_FAST"] = "use_caller"
import tensorflow as tf
from toy import data, result

resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if resolver.task_type in ("worker", "ps"):
    server = tf.distribute.Server(
        resolver.cluster_spec(),
        job_name=resolver.task_type,
        task_index=resolver.task_id,
        protocol=resolver.rpc_layer or "grpc",
        start=True,
    )
    server.join()
partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(16, max_shards=2)
strategy = tf.distribute.ParameterServerStrategy(resolver, variable_partitioner=partitioner)
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
with strategy.scope():
    weights = tf.Variable(tf.zeros([4, 4]))
    steps = tf.Variable(0.0)
assert len(weights.variables) == 2, "it should be in two parts"
assert {part.device.split("/")[1] for part in weights.variables} == {"job:ps"}


@tf.function
def dataset():
    return tf.data.Dataset.from_tensor_slices(data()[0]).repeat().batch(8)


@tf.function
def step(iterator):
    def replica(x):
        steps.assign_add(1.0)
        return tf.reduce_sum(tf.matmul(x, tf.convert_to_tensor(weights))) + tf.reduce_sum(x)

    tf.print("a step is done here")
    return strategy.run(replica, (next(iterator),))


iterator = iter(coordinator.create_per_worker_dataset(dataset))
losses = [coordinator.schedule(step, args=(iterator,)) for _ in range(20)]
coordinator.join()
assert all(loss.fetch() > 0 for loss in losses)
result([steps.numpy()])

"""As in the guides, all servers run in the chief's process; with ``--tasks``, each is a task."""

import socket
import sys

import tensorflow as tf
from toy import result


def free_port():
    with socket.socket() as listener:
        listener.bind(("localhost", 0))
        return listener.getsockname()[1]


def create_in_process_cluster(num_workers, num_ps):
    """Create a server for every task in this process, and the resolver for the strategy."""
    cluster = {
        "worker": [f"localhost:{free_port()}" for _ in range(num_workers)],
        "ps": [f"localhost:{free_port()}" for _ in range(num_ps)],
    }
    spec = tf.train.ClusterSpec(cluster)
    config = tf.compat.v1.ConfigProto()
    config.inter_op_parallelism_threads = max(4, num_workers + 1)
    for job, tasks in cluster.items():
        for index in range(len(tasks)):
            tf.distribute.Server(
                spec, job_name=job, task_index=index, config=config, protocol="grpc"
            )
    return tf.distribute.cluster_resolver.SimpleClusterResolver(spec, rpc_layer="grpc")


def cluster_of_tasks():
    resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
    if resolver.task_type in ("worker", "ps"):
        tf.distribute.Server(
            resolver.cluster_spec(), job_name=resolver.task_type, task_index=resolver.task_id
        ).join()
    return resolver


cluster = cluster_of_tasks() if "--tasks" in sys.argv else create_in_process_cluster(2, 1)
strategy = tf.distribute.ParameterServerStrategy(cluster)


def dataset(context):
    x = tf.random.uniform((32, 10))
    rows = tf.data.Dataset.from_tensor_slices((x, tf.reduce_sum(x, axis=1, keepdims=True)))
    return rows.shuffle(32).repeat().batch(context.get_per_replica_batch_size(8)).prefetch(2)


with strategy.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(10), tf.keras.layers.Dense(1)])
    model.compile(tf.keras.optimizers.Adagrad(0.05), "mse", steps_per_execution=5)
model.fit(dataset, epochs=2, steps_per_epoch=10, verbose=2)
found = model.evaluate(dataset, steps=4, return_dict=True)
result([int(model.optimizer.iterations), len(found)])

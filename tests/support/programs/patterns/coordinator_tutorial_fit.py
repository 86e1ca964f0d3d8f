"""As in the tutorial on parameter servers: ``Model.fit``, with its callbacks; run it twice."""

import tempfile

import tensorflow as tf
from toy import result

cluster = tf.distribute.cluster_resolver.TFConfigClusterResolver()
if cluster.task_type in ("worker", "ps"):
    server = tf.distribute.Server(
        cluster.cluster_spec(),
        job_name=cluster.task_type,
        task_index=cluster.task_id,
        protocol=cluster.rpc_layer or "grpc",
    )
    server.join()

partitioner = tf.distribute.experimental.partitioners.MinSizePartitioner(
    min_shard_bytes=(256 << 10), max_shards=2
)
strategy = tf.distribute.ParameterServerStrategy(cluster, variable_partitioner=partitioner)


def dataset_fn(input_context):
    batch_size = input_context.get_per_replica_batch_size(64)
    x, y = tf.random.uniform((10, 10)), tf.random.uniform((10, 1))
    dataset = tf.data.Dataset.from_tensor_slices((x, y)).shuffle(10).repeat()
    dataset = dataset.shard(input_context.num_input_pipelines, input_context.input_pipeline_id)
    return dataset.batch(batch_size).prefetch(2)


with strategy.scope():
    model = tf.keras.models.Sequential([tf.keras.layers.Dense(10)])
    model.compile(tf.keras.optimizers.SGD(), loss="mse", steps_per_execution=10)

directory = tempfile.mkdtemp()
callbacks = [
    tf.keras.callbacks.TensorBoard(log_dir=f"{directory}/log"),
    tf.keras.callbacks.ModelCheckpoint(filepath=f"{directory}/ckpt.keras"),
    tf.keras.callbacks.BackupAndRestore(backup_dir=f"{directory}/backup"),
]
model.fit(dataset_fn, epochs=3, steps_per_epoch=20, callbacks=callbacks)
found = model.evaluate(dataset_fn, steps=4, return_dict=True)
result([model.optimizer.iterations.numpy(), len(found)])

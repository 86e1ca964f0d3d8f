"""Each worker creates its own part of the data, using what the InputContext says."""

import tensorflow as tf
from toy import result

strategy = tf.distribute.MultiWorkerMirroredStrategy()


def own_part(context):
    batch = context.get_per_replica_batch_size(8)
    numbers = tf.data.Dataset.range(16, output_type=tf.float32)
    numbers = numbers.shard(context.num_input_pipelines, context.input_pipeline_id)
    return numbers.batch(batch).prefetch(2)


distributed = strategy.distribute_datasets_from_function(own_part)


@tf.function
def total(batch):
    per_replica = strategy.run(tf.reduce_sum, (batch,))
    return strategy.reduce(tf.distribute.ReduceOp.SUM, per_replica, axis=None)


own, sums = [], []
for batch in distributed:
    own += strategy.experimental_local_results(batch)[0].numpy().tolist()
    sums.append(float(total(batch)))
# Numbers 0 to 15, eight at a time: the even ones are worker 0's, the odd ones worker 1's.
assert own == list(range(strategy.cluster_resolver.task_id, 16, 2)), own
assert sums == [sum(range(8)), sum(range(8, 16))], sums
result(sums)

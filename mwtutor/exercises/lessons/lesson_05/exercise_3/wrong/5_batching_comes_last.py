# misconception: batching comes last
# says: a batch mixes rows of two replicas

# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    local = context.num_replicas_in_sync // context.num_input_pipelines
    first = context.input_pipeline_id * local
    replicas = tf.data.Dataset.range(first, first + local)
    return replicas.interleave(
        lambda replica: tf.data.Dataset.range(6 * replica, 6 * replica + 6),
        cycle_length=local,
    ).batch(2)


two_replicas.feed(dataset_fn)

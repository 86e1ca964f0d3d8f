# misconception: shares are taken by the number of replicas
# says: its own six rows

# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return rows.batch(2)


two_replicas.feed(dataset_fn)

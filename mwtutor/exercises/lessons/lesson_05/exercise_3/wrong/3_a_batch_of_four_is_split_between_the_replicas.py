# misconception: a batch of four is split between the replicas
# says: no batch is split

# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    pairs = tf.data.Dataset.range(first, first + 12).batch(4)
    return pairs


two_replicas.feed(dataset_fn)

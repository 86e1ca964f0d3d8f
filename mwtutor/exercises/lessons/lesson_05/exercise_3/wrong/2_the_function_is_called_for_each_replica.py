# misconception: the function is called for each replica
# says: not for each replica

# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 6 * context.input_pipeline_id
    return tf.data.Dataset.range(first, first + 6).batch(2)


two_replicas.feed(dataset_fn)

# misconception: the worker's rows in order will do
# says: go to its replicas in turn

# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    return tf.data.Dataset.range(first, first + 12).batch(2)


two_replicas.feed(dataset_fn)

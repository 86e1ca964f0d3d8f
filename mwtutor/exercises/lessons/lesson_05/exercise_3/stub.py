# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    return tf.data.Dataset.range(24).batch(2)


two_replicas.feed(dataset_fn)

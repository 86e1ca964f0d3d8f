# == right: choose_from_datasets
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    parts = [tf.data.Dataset.range(at, at + 6).batch(2) for at in (first, first + 6)]
    turns = tf.data.Dataset.range(2).repeat(3)
    return tf.data.Dataset.choose_from_datasets(parts, turns)


two_replicas.feed(dataset_fn)


# == right: a generator
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    def batches():
        for step in range(3):
            for replica in (0, 1):
                row = 12 * context.input_pipeline_id + 6 * replica + 2 * step
                yield [row, row + 1]

    return tf.data.Dataset.from_generator(batches, output_signature=tf.TensorSpec([None], tf.int64))


two_replicas.feed(dataset_fn)


# == right: an array that is reshaped and transposed
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    mine = tf.range(12, dtype=tf.int64) + 12 * context.input_pipeline_id
    steps = tf.transpose(tf.reshape(mine, [2, 3, 2]), [1, 0, 2])
    return tf.data.Dataset.from_tensor_slices(tf.reshape(steps, [6, 2]))


two_replicas.feed(dataset_fn)


# == right: interleave
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    replicas = context.num_replicas_in_sync // context.num_input_pipelines
    first = context.input_pipeline_id * replicas
    return tf.data.Dataset.range(first, first + replicas).interleave(
        lambda replica: tf.data.Dataset.range(6 * replica, 6 * replica + 6).batch(2),
        cycle_length=2,
        block_length=1,
    )


two_replicas.feed(dataset_fn)


# == wrong: the worker's rows in order
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    return tf.data.Dataset.range(first, first + 12).batch(2)


two_replicas.feed(dataset_fn)


# == wrong: batches of four
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    return tf.data.Dataset.range(first, first + 12).batch(4)


two_replicas.feed(dataset_fn)


# == wrong: shard
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    rows = tf.data.Dataset.range(24).batch(2)
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id)


two_replicas.feed(dataset_fn)


# == wrong: shard before batch
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(2, context.input_pipeline_id)
    return rows.batch(2)


two_replicas.feed(dataset_fn)


# == wrong: the pipeline's number is a replica's
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 6 * context.input_pipeline_id
    return tf.data.Dataset.range(first, first + 6).batch(2)


two_replicas.feed(dataset_fn)


# == wrong: zipped, not in turn
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    parts = [tf.data.Dataset.range(at, at + 6) for at in (first, first + 6)]
    return tf.data.Dataset.zip(tuple(parts)).map(lambda a, b: tf.stack([a, b]))


two_replicas.feed(dataset_fn)


# == wrong: row by row in turn, then in batches
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    return (
        tf.data.Dataset.range(first, first + 12, 6)
        .interleave(lambda row: tf.data.Dataset.range(row, row + 6), cycle_length=2)
        .batch(2)
    )


two_replicas.feed(dataset_fn)


# == wrong: both workers get worker 0's rows
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    parts = [tf.data.Dataset.range(at, at + 6).batch(2) for at in (0, 6)]
    return tf.data.Dataset.choose_from_datasets(parts, tf.data.Dataset.range(2).repeat(3))


two_replicas.feed(dataset_fn)


# == wrong: the second replica first
# says: Each has the rows of the other
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    parts = [tf.data.Dataset.range(at, at + 6).batch(2) for at in (first + 6, first)]
    return tf.data.Dataset.choose_from_datasets(parts, tf.data.Dataset.range(2).repeat(3))


two_replicas.feed(dataset_fn)


# == wrong: shuffled
# says: not in order
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    parts = [
        tf.data.Dataset.range(at, at + 6).shuffle(6, seed=1).batch(2) for at in (first, first + 6)
    ]
    return tf.data.Dataset.choose_from_datasets(parts, tf.data.Dataset.range(2).repeat(3))


two_replicas.feed(dataset_fn)


# == wrong: two steps of three
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    parts = [tf.data.Dataset.range(at, at + 6).batch(3) for at in (first, first + 6)]
    return tf.data.Dataset.choose_from_datasets(parts, tf.data.Dataset.range(2).repeat(2))


two_replicas.feed(dataset_fn)


# == wrong: rows without batches
# says: one row in a step
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    return tf.data.Dataset.range(first, first + 12)


two_replicas.feed(dataset_fn)


# == wrong: one replica after the other
# %%writefile feed.py
import tensorflow as tf

import two_replicas


def dataset_fn(context):
    first = 12 * context.input_pipeline_id
    one = tf.data.Dataset.range(first, first + 6).batch(2)
    return one.concatenate(tf.data.Dataset.range(first + 6, first + 12).batch(2))


two_replicas.feed(dataset_fn)

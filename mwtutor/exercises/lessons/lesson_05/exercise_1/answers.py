# == right: a larger buffer
# %%mw
def dataset_fn(context):
    each = context.get_per_replica_batch_size(8)
    return (
        tf.data.Dataset.range(24)
        .shard(context.num_input_pipelines, context.input_pipeline_id)
        .shuffle(100)
        .batch(each)
    )


# == right: its own range of rows, and prefetch
# %%mw
def dataset_fn(context):
    n, i = context.num_input_pipelines, context.input_pipeline_id
    rows = tf.data.Dataset.from_tensor_slices(tf.range(i, 24, n, dtype=tf.int64))
    return (
        rows.shuffle(24, reshuffle_each_iteration=True)
        .batch(8 // context.num_replicas_in_sync)
        .prefetch(1)
    )


# == right: one seed, shuffled before it is sharded
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shuffle(24, seed=7)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(8))


# == wrong: everything is read by both
# %%mw
def dataset_fn(context):
    return tf.data.Dataset.range(24).shuffle(24).batch(4)


# == wrong: sharded after each has shuffled
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shuffle(24)
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id).batch(4)


# == wrong: always two pipelines, whatever the context says
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(2, context.input_pipeline_id)
    return rows.shuffle(24).batch(4)


# == wrong: batches are shuffled
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(context.get_per_replica_batch_size(8)).shuffle(24)


# == wrong: shuffled once, and never again
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(24, reshuffle_each_iteration=False, seed=1).batch(
        context.get_per_replica_batch_size(8)
    )


# == wrong: the global batch for each worker
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(24).batch(8)


# == wrong: drop_remainder, and two batches only
# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24).shard(context.num_input_pipelines, context.input_pipeline_id)
    return (
        rows.shuffle(24).batch(context.get_per_replica_batch_size(8), drop_remainder=True).take(2)
    )

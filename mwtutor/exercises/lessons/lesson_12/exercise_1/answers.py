# == right: shard, then shuffle
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context is not None:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(40).batch(4)


# == right: every n-th number, from range
# %%mw
def rows_for(context):
    n, i = (1, 0) if context is None else (context.num_input_pipelines, context.input_pipeline_id)
    return tf.data.Dataset.range(i, 40, n).shuffle(100).batch(5)


# == right: one order for all, which is then divided
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40).shuffle(40, seed=3)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(2)


# == wrong: all rows for everyone
# %%mw
def rows_for(context):
    return tf.data.Dataset.range(40).shuffle(40).batch(4)


# == wrong: each takes its part of its own order
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40).shuffle(40)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(4)


# == wrong: as many parts as replicas
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return rows.shuffle(40).batch(4)


# == wrong: assumes that there always is a context
# %%mw
def rows_for(context):
    return (
        tf.data.Dataset.range(40)
        .shard(context.num_input_pipelines, context.input_pipeline_id)
        .shuffle(40)
        .batch(4)
    )


# == wrong: an epoch of two
# says: 80 rows are read in an epoch, some more than once
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id).repeat(2)
    return rows.shuffle(40).batch(4)


# == wrong: without end
# says: 200 or more rows are read in an epoch
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(40).repeat().batch(4)


# == wrong: in order
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(2, context.input_pipeline_id)
    return rows.batch(4)


# == wrong: only the first batches
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(40).batch(4).take(3)


# == wrong: no batches
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(40)


# == wrong: only batches are shuffled
# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(4).shuffle(40)

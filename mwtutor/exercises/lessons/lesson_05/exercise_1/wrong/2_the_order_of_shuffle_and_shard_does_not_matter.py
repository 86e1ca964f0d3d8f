# misconception: it does not matter whether one shuffles or shards first
# says: each shuffles differently

# %%mw
def dataset_fn(context):
    each = context.get_per_replica_batch_size(8)
    rows = tf.data.Dataset.range(24).shuffle(24)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(each)

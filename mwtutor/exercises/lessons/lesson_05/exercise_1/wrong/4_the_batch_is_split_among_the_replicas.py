# misconception: the batch is split among the replicas, as always
# says: takes a whole batch

# %%mw
def dataset_fn(context):
    rows = tf.data.Dataset.range(24)
    rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shuffle(24).batch(8)

# misconception: shuffled batches are shuffled rows
# says: still come right after their predecessor

# %%mw
def rows_for(context):
    rows = tf.data.Dataset.range(40)
    if context is not None:
        rows = rows.shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.batch(4).shuffle(40)

# misconception: shuffling batches is as good as shuffling rows
# says: they are not shuffled

# %%mw
def rows_for(context):
    data = tf.data.Dataset.range(40)
    if context is not None:
        data = data.shard(context.num_input_pipelines, context.input_pipeline_id)
    return data.batch(4)

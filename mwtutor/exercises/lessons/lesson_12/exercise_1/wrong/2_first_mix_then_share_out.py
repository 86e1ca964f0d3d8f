# misconception: shuffle first, then shard
# says: Parts of one order

# %%mw
def rows_for(context):
    data = tf.data.Dataset.range(40).shuffle(40)
    if context is not None:
        data = data.shard(context.num_input_pipelines, context.input_pipeline_id)
    return data.batch(4)

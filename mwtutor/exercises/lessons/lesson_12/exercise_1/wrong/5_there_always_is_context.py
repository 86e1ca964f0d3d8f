# misconception: there is always a context
# says: Without a context, `rows_for` raises

# %%mw
def rows_for(context):
    data = tf.data.Dataset.range(40).shard(context.num_input_pipelines, context.input_pipeline_id)
    return data.shuffle(40).batch(4)

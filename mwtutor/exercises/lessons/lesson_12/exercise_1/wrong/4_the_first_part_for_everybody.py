# misconception: every worker takes the first part
# says: both workers read the same

# %%mw
def rows_for(context):
    data = tf.data.Dataset.range(40)
    if context is not None:
        data = data.shard(context.num_input_pipelines, 0)
    return data.shuffle(40).batch(4)

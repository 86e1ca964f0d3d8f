# misconception: there are as many parts as replicas
# says: neither worker reads

# %%mw
def rows_for(context):
    data = tf.data.Dataset.range(40)
    if context is not None:
        data = data.shard(context.num_replicas_in_sync, context.input_pipeline_id)
    return data.shuffle(40).batch(4)

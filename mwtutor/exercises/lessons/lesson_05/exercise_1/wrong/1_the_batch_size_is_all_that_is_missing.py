# misconception: the context's batch size is all that is missing
# says: both workers still read everything

# %%mw
def dataset_fn(context):
    each = context.get_per_replica_batch_size(8)
    rows = tf.data.Dataset.range(24).shuffle(24)
    return rows.batch(each)

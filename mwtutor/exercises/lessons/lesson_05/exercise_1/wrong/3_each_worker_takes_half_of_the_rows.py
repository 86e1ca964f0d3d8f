# misconception: half of the rows for each of two workers, so take half
# says: the same part of the data

# %%mw
def dataset_fn(context):
    each = context.get_per_replica_batch_size(8)
    rows = tf.data.Dataset.range(24).take(12).shuffle(12)
    return rows.batch(each)

# misconception: the small number under the root is for zeros only
# says: under the root is missing

# %%mw
def sync_norm(x):
    context = tf.distribute.get_replica_context()
    own = [tf.cast(tf.shape(x)[0], tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    rows, total, squares = context.all_reduce("SUM", own)
    mean = total / rows
    variance = squares / rows - mean**2
    return (x - mean) / tf.sqrt(variance)

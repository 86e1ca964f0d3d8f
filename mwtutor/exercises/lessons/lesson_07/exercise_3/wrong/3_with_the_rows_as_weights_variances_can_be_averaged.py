# misconception: variances can be averaged if they are weighted by their rows
# says: it must be taken around the mean of all

# %%mw
def sync_norm(x):
    context = tf.distribute.get_replica_context()
    own = [tf.cast(tf.shape(x)[0], tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    rows, total, squares = context.all_reduce("SUM", own)
    mean = total / rows
    around_own = tf.nn.moments(x, axes=[0])[1] * own[0]
    variance = context.all_reduce("SUM", around_own) / rows
    return (x - mean) / tf.sqrt(variance + 0.001)

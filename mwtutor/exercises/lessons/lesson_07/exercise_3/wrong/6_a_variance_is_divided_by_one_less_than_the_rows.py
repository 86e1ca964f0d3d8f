# misconception: a variance divides by the number of rows minus one
# says: divides by 7

# %%mw
def sync_norm(x):
    context = tf.distribute.get_replica_context()
    own = [tf.cast(tf.shape(x)[0], tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
    rows, total, squares = context.all_reduce("SUM", own)
    mean = total / rows
    variance = (squares / rows - mean**2) * rows / (rows - 1)
    return (x - mean) / tf.sqrt(variance + 0.001)

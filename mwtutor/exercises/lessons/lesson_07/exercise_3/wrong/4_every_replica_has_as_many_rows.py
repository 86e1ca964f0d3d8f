# misconception: every replica has the same number of rows
# says: One has five and one has three

# %%mw
def sync_norm(x):
    context = tf.distribute.get_replica_context()
    moments = [tf.reduce_mean(x, 0), tf.reduce_mean(x**2, 0)]
    mean, squares = context.all_reduce("MEAN", moments)
    variance = squares - mean**2
    return (x - mean) / tf.sqrt(variance + 0.001)

# misconception: a layer sees the whole batch
# says: as if others had no rows

# %%mw
def sync_norm(x):
    mean, variance = tf.nn.moments(x, axes=[0])
    return (x - mean) / tf.sqrt(variance + 0.001)

# misconception: statistics can be averaged
# says: loses the distance between the replicas' means

# %%mw
def sync_norm(x):
    context = tf.distribute.get_replica_context()
    mean, variance = tf.nn.moments(x, axes=[0])
    mean, variance = context.all_reduce("MEAN", [mean, variance])
    return (x - mean) / tf.sqrt(variance + 0.001)

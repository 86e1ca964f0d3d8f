# misconception: the result must have 16 bits
# says: a cast after the exchange is too late

# %%mw
def exchange(gradients):
    """Return each gradient's sum over all replicas, in float32."""
    context = tf.distribute.get_replica_context()
    sums = context.all_reduce("SUM", gradients)
    return [tf.cast(one, tf.float32) for one in [tf.cast(one, tf.bfloat16) for one in sums]]

# misconception: a factor saves the small numbers, at no cost
# says: became infinite

# %%mw
def exchange(gradients):
    """Return each gradient's sum over all replicas, in float32."""
    context = tf.distribute.get_replica_context()
    sums = context.all_reduce("SUM", [tf.cast(one * 2.0**15, tf.float16) for one in gradients])
    return [tf.cast(one / 2**15, tf.float32) for one in sums]

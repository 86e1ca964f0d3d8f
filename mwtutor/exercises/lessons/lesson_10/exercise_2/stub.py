# %%mw
def exchange(gradients):
    """Return each gradient's sum over all replicas, in float32."""
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", gradients)

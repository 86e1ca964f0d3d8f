# %%mw
def exchange(gradients):
    """The sum over all replicas of each gradient, in float32."""
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", gradients)

# misconception: the result need not be cast back
# says: lose small numbers

# %%mw
def exchange(gradients):
    """The sum over all replicas of each gradient, in float32."""
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", [tf.cast(one, tf.bfloat16) for one in gradients])

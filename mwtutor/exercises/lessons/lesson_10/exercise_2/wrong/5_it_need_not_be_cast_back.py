# misconception: the result need not be cast back
# says: lose small numbers

# %%mw
def exchange(gradients):
    """Return each gradient's sum over all replicas, in float32."""
    context = tf.distribute.get_replica_context()
    return context.all_reduce("SUM", [tf.cast(one, tf.bfloat16) for one in gradients])

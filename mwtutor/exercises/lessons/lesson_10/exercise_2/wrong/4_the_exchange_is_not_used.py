# misconception: an exchange that was made is an exchange that was used
# says: not within 2 %

# %%mw
def exchange(gradients):
    """Return each gradient's sum over all replicas, in float32."""
    context = tf.distribute.get_replica_context()
    context.all_reduce("SUM", [tf.cast(one, tf.bfloat16) for one in gradients])
    return [3.0 * one for one in gradients]

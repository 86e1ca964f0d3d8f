# misconception: each worker averages the loss over its own rows
# says: the two means are added

# %%mw
def replica_step(x, y):
    with tf.GradientTape() as tape:
        errors = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_mean(errors**2)
    context = tf.distribute.get_replica_context()
    w.assign_sub(0.1 * context.all_reduce("SUM", tape.gradient(loss, w)))
    return loss


@tf.function
def global_step():
    parts = strategy.run(replica_step, args=(rows, wanted))
    return strategy.reduce("SUM", parts, axis=None)

# misconception: mirrored variables share the gradient by themselves
# says: applied only its own gradient

# %%mw
def replica_step(x, y):
    with tf.GradientTape() as tape:
        errors = tf.linalg.matvec(x, w) - y
        loss = tf.reduce_sum(errors**2) / 8
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


@tf.function
def global_step():
    parts = strategy.run(replica_step, args=(rows, wanted))
    return strategy.reduce("SUM", parts, axis=None)

# %%mw
def replica_step(x, y):
    errors = tf.linalg.matvec(x, w) - y
    return tf.reduce_sum(errors**2)  # here w should move, and the loss is not a mean yet


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))

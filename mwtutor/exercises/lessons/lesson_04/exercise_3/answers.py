# == right: a tape, and one exchange for gradient and loss
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == right: all rows are gathered, and the gradient is written down
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    x, y = context.all_gather(x, axis=0), context.all_gather(y, axis=0)
    errors = tf.linalg.matvec(x, w) - y
    gradient = 2 * tf.linalg.matvec(x, errors, transpose_a=True) / tf.cast(tf.size(y), tf.float32)
    w.assign(w - 0.1 * gradient)
    return tf.reduce_mean(errors**2)


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == right: the loss is reduced and w is moved outside the replica
# %%mw
def replica_step(x, y):
    with tf.GradientTape() as tape:
        total = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    return total, tape.gradient(total, w), tf.cast(tf.shape(y)[0], tf.float32)


@tf.function
def global_step():
    total, gradient, count = (
        strategy.reduce(tf.distribute.ReduceOp.SUM, one, axis=None)
        for one in strategy.run(replica_step, args=(rows, wanted))
    )
    strategy.extended.update(w, lambda each: each.assign_sub(0.1 * gradient / count))
    return total / count


# == right: the number of rows is exchanged, and MEAN computes the sums
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    errors = tf.linalg.matvec(x, w) - y
    half = tf.einsum("ij,i->j", x, errors)
    parts = [half, tf.reduce_sum(tf.square(errors)), tf.cast(len(y), tf.float32)]
    half, squares, count = context.all_reduce(tf.distribute.ReduceOp.MEAN, parts)
    w.assign_sub(0.2 * half / count)
    return squares / count


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: each moves by its own gradient
# %%mw
def replica_step(x, y):
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    w.assign_sub(0.1 * tape.gradient(loss, w))
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: the mean of the replicas' means
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_mean((tf.linalg.matvec(x, w) - y) ** 2)
    gradient, loss = context.all_reduce("MEAN", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: the gradient is summed up, the loss is not
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    w.assign_sub(0.1 * context.all_reduce("SUM", tape.gradient(loss, w)))
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: divided by eight, and averaged as well
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    gradient, loss = context.all_reduce("MEAN", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: nobody divides
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2)
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: w moves up
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_add(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: the error after the move
# says: the error after the change
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    w.assign_sub(0.1 * context.all_reduce("SUM", tape.gradient(loss, w)))
    return context.all_reduce("SUM", tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8)


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: a rate of 0.01
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.01 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: the factor 2 of the square's derivative is missing
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    errors = tf.linalg.matvec(x, w) - y
    gradient = tf.linalg.matvec(x, errors, transpose_a=True) / 8
    gradient, loss = context.all_reduce("SUM", [gradient, tf.reduce_sum(errors**2) / 8])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: the error is right, w stays
# says: `w` is still zero
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    errors = tf.linalg.matvec(x, w) - y
    return context.all_reduce("SUM", tf.reduce_sum(errors**2) / 8)


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: the errors instead of their squares
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum(tf.abs(tf.linalg.matvec(x, w) - y)) / 8
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: divided by two workers instead of eight rows
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 2
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: an optimizer's momentum
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 8
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.1 * tf.sign(gradient))
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))


# == wrong: half of the squares, as the gradient without a factor has it
# says: or the squares are halved
# %%mw
def replica_step(x, y):
    context = tf.distribute.get_replica_context()
    with tf.GradientTape() as tape:
        loss = tf.reduce_sum((tf.linalg.matvec(x, w) - y) ** 2) / 16
    gradient, loss = context.all_reduce("SUM", [tape.gradient(loss, w), loss])
    w.assign_sub(0.2 * gradient)
    return loss


@tf.function
def global_step():
    return strategy.run(replica_step, args=(rows, wanted))

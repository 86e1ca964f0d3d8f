# == right: zeros, and sums
# %%mw
import perf


def train(model, parts):
    variables = model.trainable_variables
    sums = [tf.zeros_like(one) for one in variables]
    for x, y in parts:
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True))
        sums = [a + b for a, b in zip(sums, tape.gradient(loss, variables))]
    summed = tf.distribute.get_replica_context().all_reduce("SUM", sums)
    for variable, gradient in zip(variables, summed):
        variable.assign_sub(0.1 * gradient / (4 * 64 * num_workers))


# == right: means of means, from a generator
# %%mw
import perf


def gradients_of(model, x, y):
    with tf.GradientTape() as tape:
        loss = perf.loss_of(y, model(x)) / 64
    return tape.gradient(loss, model.trainable_variables)


def train(model, parts):
    context = tf.distribute.get_replica_context()
    each = (gradients_of(model, x, y) for x, y in parts)
    means = [sum(of_one) / len(parts) for of_one in zip(*each)]
    for variable, mean in zip(model.trainable_variables, context.all_reduce("MEAN", means)):
        variable.assign(variable - 0.1 * mean)


# == right: one long vector is exchanged
# %%mw
import numpy as np
import perf


class Train:
    def __call__(self, model, parts):
        variables = model.trainable_variables
        rows = np.int64(0)
        total = 0.0
        for x, y in parts:
            rows += np.int64(len(x))
            with tf.GradientTape() as tape:
                loss = perf.loss_of(y, model(x, training=True))
            total += tf.concat([tf.reshape(one, [-1]) for one in tape.gradient(loss, variables)], 0)
        context = tf.distribute.get_replica_context()
        total = context.all_reduce(tf.distribute.ReduceOp.SUM, total)
        sizes = [int(np.prod(one.shape)) for one in variables]
        for variable, part in zip(variables, tf.split(total, sizes)):
            rate = np.float32(0.1 / (rows * context.num_replicas_in_sync))
            variable.assign_sub(rate * tf.reshape(part, variable.shape))


train = Train()


# == right: a loop over numbers, and a tuple
# %%mw
import perf


def train(model, parts):
    context = tf.distribute.get_replica_context()
    variables = tuple(model.trainable_variables)
    found = []
    for number in range(len(parts)):
        x, y = parts[number]
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True)) / (256 * num_workers)
        found.append(tape.gradient(loss, variables))
    summed = context.all_reduce("SUM", tuple(tf.add_n(of_one) for of_one in zip(*found)))
    for at, variable in enumerate(variables):
        variable.assign_sub(0.1 * summed[at])


# == wrong: only the last part's gradients
# -             loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts) * num_workers)
# +             loss = perf.loss_of(y, model(x, training=True)) / (64 * num_workers)
# -         total = [so_far + gradient for so_far, gradient in zip(total, gradients)]
# +         total = gradients


# == wrong: divided by the rows of one part of each worker
# -             loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts) * num_workers)
# +             loss = perf.loss_of(y, model(x, training=True)) / (64 * num_workers)


# == wrong: an exchange in each pass, and one update
# %%mw
import perf


def train(model, parts):
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
    sums = [tf.zeros_like(one) for one in variables]
    for x, y in parts:
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True)) / (256 * num_workers)
        summed = context.all_reduce("SUM", tape.gradient(loss, variables))
        sums = [a + b for a, b in zip(sums, summed)]
    for variable, gradient in zip(variables, sums):
        variable.assign_sub(0.1 * gradient)


# == wrong: no exchange
# -             loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts) * num_workers)
# +             loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts))
# -     summed = context.all_reduce("SUM", total)
# +     summed = total


# == wrong: one pass
# %%mw
import perf


def train(model, parts):
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
    x, y = (tf.concat(of_all, 0) for of_all in zip(*parts))
    with tf.GradientTape() as tape:
        loss = perf.loss_of(y, model(x, training=True)) / (256 * num_workers)
    summed = context.all_reduce("SUM", tape.gradient(loss, variables))
    for variable, gradient in zip(variables, summed):
        variable.assign_sub(0.1 * gradient)


# == wrong: each part updates the model, and the exchange averages the differences
# %%mw
import perf


def train(model, parts):
    context = tf.distribute.get_replica_context()
    variables = model.trainable_variables
    before = [tf.identity(one) for one in variables]
    for x, y in parts:
        with tf.GradientTape() as tape:
            loss = perf.loss_of(y, model(x, training=True)) / 256
        for variable, gradient in zip(variables, tape.gradient(loss, variables)):
            variable.assign_sub(0.1 * gradient)
    moved = [tf.identity(one) - old for one, old in zip(variables, before)]
    for variable, old, change in zip(variables, before, context.all_reduce("MEAN", moved)):
        variable.assign(old + change)


# == wrong: averaged as well as divided by the workers
# -     summed = context.all_reduce("SUM", total)
# +     summed = context.all_reduce("MEAN", total)


# == wrong: a rate four times as large
# -         variable.assign_sub(0.1 * gradient)
# +         variable.assign_sub(0.4 * gradient)


# == wrong: up instead of down
# -         variable.assign_sub(0.1 * gradient)
# +         variable.assign_add(0.1 * gradient)


# == wrong: the first part only
# -             loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts) * num_workers)
# +             loss = perf.loss_of(y, model(x, training=True)) / (64 * num_workers)
# -     for x, y in parts:
# +     for x, y in parts[:1]:


# == wrong: divided by the rows of one part only
# -             loss = perf.loss_of(y, model(x, training=True)) / (64 * len(parts) * num_workers)
# +             loss = perf.loss_of(y, model(x, training=True)) / 64


# == wrong: four passes with the same part
# -     for x, y in parts:
# +     for _ in parts:
# +         x, y = parts[0]

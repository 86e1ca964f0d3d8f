# == right: the rows are counted where the losses are
# %%mw
def replica_step(x, y):
    losses = row_losses(x, y)
    return tf.reduce_sum(losses), tf.cast(tf.size(losses), tf.float32)


@tf.function(reduce_retracing=True)
def global_step(x, y):
    total, count = strategy.run(replica_step, args=(x, y))
    return strategy.reduce("SUM", total, axis=None), strategy.reduce("SUM", count, axis=None)


def evaluate_by_hand(data):
    total = count = 0.0
    for x, y in strategy.experimental_distribute_dataset(data):
        of_step, rows_of_step = global_step(x, y)
        total, count = total + of_step, count + rows_of_step
    return float(total / count)


# == right: a Keras metric in the scope
# %%mw
with strategy.scope():
    mean_loss = tf.keras.metrics.Mean()


def replica_step(x, y):
    mean_loss.update_state(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    strategy.run(replica_step, args=(x, y))


def evaluate_by_hand(data):
    mean_loss.reset_state()
    for x, y in strategy.experimental_distribute_dataset(data):
        global_step(x, y)
    return float(mean_loss.result())


# == right: the losses of all rows are gathered
# %%mw
def replica_step(x, y):
    return row_losses(x, y)


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.gather(strategy.run(replica_step, args=(x, y)), axis=0)


def evaluate_by_hand(data):
    losses = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(tf.reduce_mean(tf.concat(losses, axis=0)))


# == right: all_reduce in the replica, and NumPy
# %%mw
def replica_step(x, y):
    here = tf.distribute.get_replica_context()
    losses = row_losses(x, y)
    return tf.stack(
        here.all_reduce("SUM", [tf.reduce_sum(losses), tf.cast(tf.shape(losses)[0], tf.float32)])
    )


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.experimental_local_results(strategy.run(replica_step, args=(x, y)))[0]


def evaluate_by_hand(data):
    total, count = np.sum(
        [global_step(x, y).numpy() for x, y in strategy.experimental_distribute_dataset(data)],
        axis=0,
    )
    return total / count


# == wrong: divided by 99
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y)) / 99


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps)


# == wrong: each replica's mean, added up
# %%mw
def replica_step(x, y):
    return tf.reduce_mean(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps)


# == wrong: each replica's mean, averaged
# %%mw
def replica_step(x, y):
    return tf.reduce_mean(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("MEAN", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps)


# == wrong: divided by 297
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    return (
        float(sum(global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)))
        / 297
    )


# == wrong: the mean of each batch, averaged over batches
# %%mw
def replica_step(x, y):
    losses = row_losses(x, y)
    return tf.reduce_sum(losses), tf.cast(tf.size(losses), tf.float32)


@tf.function(reduce_retracing=True)
def global_step(x, y):
    total, count = strategy.run(replica_step, args=(x, y))
    return strategy.reduce("SUM", total, axis=None) / strategy.reduce("SUM", count, axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps)


# == wrong: each worker evaluates everything
# %%mw
def evaluate_by_hand(data):
    losses = [row_losses(x, y) for x, y in data]
    return float(tf.reduce_mean(tf.concat(losses, axis=0)))


# == wrong: each worker's own rows only
# %%mw
def replica_step(x, y):
    return row_losses(x, y)


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.experimental_local_results(strategy.run(replica_step, args=(x, y)))[0]


def evaluate_by_hand(data):
    losses = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(tf.reduce_mean(tf.concat(losses, axis=0)))


# == wrong: a third of the original result
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y)) / 32


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps) / 3


# == wrong: the sum of all losses
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    return float(sum(global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)))


# == wrong: divided by the rows of the replica
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y)) / tf.cast(tf.shape(x)[0], tf.float32)


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps) / 2


# == wrong: the size of the first batch, for all
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    size = len(next(iter(data))[1])
    steps = [global_step(x, y) / size for x, y in strategy.experimental_distribute_dataset(data)]
    return float(sum(steps)) / len(steps)


# == wrong: the right number of rows, from the data, but the losses of one worker
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.experimental_local_results(strategy.run(replica_step, args=(x, y)))[0]


def evaluate_by_hand(data):
    count = sum(len(y) for _, y in data)
    return (
        float(sum(global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)))
        / count
    )


# == wrong: the losses of both workers over the rows of one
# says: both should have the mean over all rows
# %%mw
def replica_step(x, y):
    return tf.reduce_sum(row_losses(x, y))


@tf.function(reduce_retracing=True)
def global_step(x, y):
    return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)


def evaluate_by_hand(data):
    total = count = 0.0
    for x, y in strategy.experimental_distribute_dataset(data):
        total += float(global_step(x, y))
        count += sum(len(part) for part in strategy.experimental_local_results(y))
    return total / count

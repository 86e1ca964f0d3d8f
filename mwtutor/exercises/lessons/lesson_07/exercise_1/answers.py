# == right: sum and rows in one exchange in the replica, and one replica's result
# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        c = tf.distribute.get_replica_context()
        s, n = c.all_reduce("SUM", [tf.reduce_sum(rows**2), tf.cast(tf.shape(rows)[0], tf.float32)])
        return s / n

    return strategy.experimental_local_results(strategy.run(replica, args=(batch,)))[0]


# == right: sums and sizes, reduced outside
# %%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return tf.reduce_sum(rows**2), tf.cast(tf.size(rows), tf.float32)

    s, n = strategy.run(replica, args=(batch,))
    return strategy.reduce("SUM", s, axis=None) / strategy.reduce("SUM", n, axis=None)


# == right: reduce with MEAN over axis 0
# %%mw
@tf.function
def mean_square(batch):
    squares = strategy.run(lambda rows: tf.reshape(rows**2, [-1]), args=(batch,))
    return strategy.reduce("MEAN", squares, axis=0)


# == wrong: the mean of the replicas' means
# %%mw
@tf.function
def mean_square(batch):
    return strategy.reduce(
        "MEAN", strategy.run(lambda rows: tf.reduce_mean(rows**2), args=(batch,)), axis=None
    )


# == wrong: the sum of the replicas' means
# %%mw
@tf.function
def mean_square(batch):
    return strategy.reduce(
        "SUM", strategy.run(lambda rows: tf.reduce_mean(rows**2), args=(batch,)), axis=None
    )


# == wrong: divided by the global batch size
# %%mw
@tf.function
def mean_square(batch):
    return (
        strategy.reduce(
            "SUM", strategy.run(lambda rows: tf.reduce_sum(rows**2), args=(batch,)), axis=None
        )
        / 8
    )


# == wrong: the sum of squares
# %%mw
@tf.function
def mean_square(batch):
    return strategy.reduce(
        "SUM", strategy.run(lambda rows: tf.reduce_sum(rows**2), args=(batch,)), axis=None
    )


# == wrong: a constant
# %%mw
@tf.function
def mean_square(batch):
    return tf.constant(1.0)


# == wrong: the mean of the rows, in each replica
# %%mw
@tf.function
def mean_square(batch):
    return strategy.run(lambda rows: tf.reduce_mean(rows), args=(batch,))


# == wrong: means, with 0 for no rows
# %%mw
@tf.function
def mean_square(batch):
    m = strategy.run(
        lambda rows: tf.math.divide_no_nan(
            tf.reduce_sum(rows**2), tf.cast(tf.size(rows), tf.float32)
        ),
        args=(batch,),
    )
    return strategy.reduce("MEAN", m, axis=None)

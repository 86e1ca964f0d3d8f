# == right: one exchange of rows and sums
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    n, s = c.all_reduce("SUM", [tf.cast(tf.shape(x)[0], x.dtype), tf.reduce_sum(x, 0)])
    m = s / n
    v = c.all_reduce("SUM", tf.reduce_sum((x - m) ** 2, 0)) / n
    return (x - m) / tf.sqrt(v + 0.001)


# == right: all rows gathered, tf.nn.moments
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    all_rows = c.all_gather(x, axis=0)
    m, v = tf.nn.moments(all_rows, axes=[0])
    return tf.nn.batch_normalization(x, m, v, None, None, 0.001)


# == right: all rows gathered, reduce_variance and rsqrt
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    all_rows = c.all_gather(x, 0)
    m = tf.reduce_mean(all_rows, 0)
    v = tf.math.reduce_variance(all_rows, 0)
    return (x - m) * tf.math.rsqrt(v + 0.001)


# == wrong: its own rows only
# %%mw
def sync_norm(x):
    m, v = tf.nn.moments(x, axes=[0])
    return (x - m) / tf.sqrt(v + 0.001)


# == wrong: means of the two replicas' moments
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    m = c.all_reduce("MEAN", tf.reduce_mean(x, 0))
    v = c.all_reduce("MEAN", tf.reduce_mean((x - m) ** 2, 0))
    return (x - m) / tf.sqrt(v + 0.001)


# == wrong: the small number outside the root
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    all_rows = c.all_gather(x, 0)
    m, v = tf.nn.moments(all_rows, axes=[0])
    return (x - m) / (tf.sqrt(v) + 0.001)


# == wrong: one mean for all columns
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    all_rows = c.all_gather(x, 0)
    m, v = tf.nn.moments(all_rows, axes=[0, 1])
    return (x - m) / tf.sqrt(v + 0.001)


# == wrong: the variance is divided by 7
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    n, s = c.all_reduce("SUM", [tf.cast(tf.shape(x)[0], x.dtype), tf.reduce_sum(x, 0)])
    m = s / n
    v = c.all_reduce("SUM", tf.reduce_sum((x - m) ** 2, 0)) / (n - 1)
    return (x - m) / tf.sqrt(v + 0.001)


# == wrong: divided by the variance
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    all_rows = c.all_gather(x, 0)
    m, v = tf.nn.moments(all_rows, axes=[0])
    return (x - m) / (v + 0.001)


# == wrong: the mean only
# %%mw
def sync_norm(x):
    c = tf.distribute.get_replica_context()
    all_rows = c.all_gather(x, 0)
    return x - tf.reduce_mean(all_rows, 0)

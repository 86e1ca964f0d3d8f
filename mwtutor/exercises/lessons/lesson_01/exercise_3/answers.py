# == right: prefetch and a larger buffer
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(1000).batch(per_replica * replicas).prefetch(tf.data.AUTOTUNE)


# == right: the rows are kept in memory by hand
# %%mw
def pipeline(rows, per_replica, replicas):
    kept = tf.data.Dataset.from_tensor_slices([int(row) for row in rows])
    return kept.shuffle(64, reshuffle_each_iteration=True).batch(
        replicas * per_replica, drop_remainder=True
    )


# == right: a generator, and NumPy's permutation
# %%mw
def pipeline(rows, per_replica, replicas):
    import numpy as np

    kept = []

    def epoch():
        if not kept:
            kept.extend(row.numpy() for row in rows)
        size = per_replica * replicas
        mixed = np.random.permutation(kept)
        for start in range(0, len(mixed), size):
            yield mixed[start : start + size]

    return tf.data.Dataset.from_generator(epoch, output_signature=tf.TensorSpec([None], tf.int64))


# == right: batched in two steps
# %%mw
def pipeline(rows, per_replica, replicas):
    mixed = rows.cache().shuffle(buffer_size=64, seed=3)
    return mixed.batch(per_replica).batch(replicas).map(lambda parts: tf.reshape(parts, [-1]))


# == wrong: no cache
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).batch(per_replica * replicas)


# == wrong: the shuffled rows are cached
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).cache().batch(per_replica * replicas)


# == wrong: batches are shuffled
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().batch(per_replica * replicas).shuffle(64)


# == wrong: the batch of one replica
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica)


# == wrong: the same order in every epoch
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64, reshuffle_each_iteration=False).batch(per_replica * replicas)


# == wrong: a buffer of two
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(2).batch(per_replica * replicas)


# == wrong: batches of eight, whatever is asked for
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(8)


# == wrong: it never ends
# says: has at least
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).repeat().batch(per_replica * replicas)


# == wrong: not shuffled
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().batch(per_replica * replicas)


# == wrong: per_replica and replicas added
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica + replicas)


# == wrong: the first batches only
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica * replicas).take(4)


# == wrong: the cache comes last
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.shuffle(64).batch(per_replica * replicas).cache()


# == wrong: the dataset is not returned
# says: does not return a dataset
# %%mw
def pipeline(rows, per_replica, replicas):
    rows.cache().shuffle(64).batch(per_replica * replicas)


# == wrong: a batch of batches
# says: a batch of 2 batches
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica).batch(replicas)


# == right: the dataset knows its length
# %%mw
def pipeline(rows, per_replica, replicas):
    kept = rows.apply(tf.data.experimental.assert_cardinality(64)).cache()
    return kept.shuffle(len(kept)).batch(per_replica * replicas)


# == right: an incomplete batch is dropped
# %%mw
def pipeline(rows, per_replica, replicas):
    return rows.cache().shuffle(64).batch(per_replica * replicas, drop_remainder=True)


# == wrong: the numbers, without the source
# says: 0 were read from the source
# %%mw
def pipeline(rows, per_replica, replicas):
    return tf.data.Dataset.range(64).shuffle(64).batch(per_replica * replicas)

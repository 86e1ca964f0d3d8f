# == right: skip in its own line
# %%mw
def batches(updates):
    rows = tf.data.Dataset.range(480).shuffle(480, seed=1).repeat().batch(8)
    return rows.skip(updates)


# == right: rows are left out before they are batched
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480, seed=1).repeat().skip(8 * updates).batch(8)


# == right: another seed, and two passes
# %%mw
def batches(updates):
    rows = tf.data.Dataset.range(480).shuffle(480, seed=42)
    return rows.repeat(2).batch(8).skip(updates)


# == right: one order for both passes
# %%mw
def batches(updates):
    rows = tf.data.Dataset.range(480).shuffle(480, seed=1, reshuffle_each_iteration=False)
    return rows.repeat().batch(8).skip(updates)


# == right: NumPy's order, a different one in each pass
# %%mw
import numpy as np


def batches(updates):
    orders = [np.random.default_rng(one).permutation(480) for one in range(2)]
    return tf.data.Dataset.from_tensor_slices(np.concatenate(orders)[8 * updates :]).batch(8)


# == wrong: without a seed
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480).repeat().batch(8).skip(updates)


# == wrong: without shuffling
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).repeat().batch(8).skip(updates)


# == wrong: rows of each pass are left out
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480, seed=1).skip(updates).repeat().batch(8)


# == wrong: always forty
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480, seed=1).repeat().batch(8).skip(40)


# == not yet: the first eighty
# says: The cell run-09-1 ended with an error: StopIteration on worker:0 and worker:1
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480, seed=1).repeat().batch(8).take(80)


# == wrong: a seed that depends on the updates
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480, seed=updates).repeat().batch(8).skip(updates)


# == wrong: skipped before it is repeated
# %%mw
def batches(updates):
    return tf.data.Dataset.range(480).shuffle(480, seed=1).batch(8).skip(updates).repeat()


# == wrong: eight times too many
# says: should be that of update 41.
# %%mw
def batches(updates):
    rows = tf.data.Dataset.range(480).shuffle(480, seed=1)
    return rows.repeat().batch(8).skip(8 * updates)

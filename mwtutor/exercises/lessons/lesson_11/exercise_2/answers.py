# == right: NumPy's numbers, shuffled by the chief
# %%mw
import numpy as np


def schedule_epoch():
    order = np.random.permutation(96)
    return [coordinator.schedule(step_on, args=(part,)) for part in order.reshape(24, 4)]


# == right: a dataset that the chief reads
# %%mw
def schedule_epoch():
    remote = []
    for batch in tf.data.Dataset.range(96).shuffle(96).batch(4):
        remote.append(coordinator.schedule(step_on, kwargs={"rows": batch}))
    return remote


# == right: a function of the number of the step
# %%mw
@tf.function
def numbered(number):
    return step_on(4 * number + tf.range(4))


def schedule_epoch():
    return tuple(coordinator.schedule(numbered, (tf.constant(at),)) for at in reversed(range(24)))


# == right: lists of Python's numbers
# %%mw
def schedule_epoch():
    rows = [list(range(at, at + 4)) for at in range(0, 96, 4)]
    return [coordinator.schedule(step_on, args=(tf.convert_to_tensor(one),)) for one in rows]


# == wrong: each worker's dataset in its own order
# %%mw
def schedule_epoch():
    def data():
        return tf.data.Dataset.range(96).shuffle(96).batch(4).repeat()

    iterator = iter(coordinator.create_per_worker_dataset(data))
    return [coordinator.schedule(next_step, args=(iterator,)) for _ in range(24)]


# == wrong: each worker's dataset has half of the rows
# %%mw
def schedule_epoch():
    def data():
        index = tf.distribute.coordinator.experimental_get_current_worker_index()
        return tf.data.Dataset.range(96).shard(2, tf.cast(index, tf.int64)).batch(4).repeat()

    iterator = iter(coordinator.create_per_worker_dataset(data))
    return [coordinator.schedule(next_step, args=(iterator,)) for _ in range(24)]


# == wrong: the same four rows each time
# says: 92 rows were never read, and one was read
# %%mw
def schedule_epoch():
    return [coordinator.schedule(step_on, args=(tf.range(4),)) for _ in range(24)]


# == wrong: steps that overlap
# says: 69 rows were never read, and one was read
# %%mw
def schedule_epoch():
    return [coordinator.schedule(step_on, args=(tf.range(at, at + 4),)) for at in range(24)]


# == wrong: 48 steps of two rows
# %%mw
def schedule_epoch():
    return [coordinator.schedule(step_on, args=(tf.range(at, at + 2),)) for at in range(0, 96, 2)]


# == wrong: the last four rows are left out
# says: There were 23 steps, but an epoch has 24; 4 rows were never read.
# %%mw
def schedule_epoch():
    return [coordinator.schedule(step_on, args=(tf.range(at, at + 4),)) for at in range(0, 92, 4)]


# == wrong: each row twice
# %%mw
def schedule_epoch():
    rows = tf.data.Dataset.range(96).repeat(2).batch(4)
    return [coordinator.schedule(step_on, args=(batch,)) for batch in rows]


# == wrong: drawn at random
# says: rows were never read, and one was read
# %%mw
import numpy as np


def schedule_epoch():
    draw = np.random.default_rng(1)
    return [coordinator.schedule(step_on, args=(draw.integers(0, 96, 4),)) for _ in range(24)]


# == wrong: nothing is scheduled
# %%mw
def schedule_epoch():
    return [(at % 2, tf.range(4 * at, 4 * at + 4)) for at in range(24)]


# == not yet: the chief does the steps
# %%mw
def schedule_epoch():
    return [step_on(tf.range(4 * at, 4 * at + 4)) for at in range(24)]


# == not yet: returns nothing
# %%mw
def schedule_epoch():
    for at in range(24):
        coordinator.schedule(step_on, args=(tf.range(4 * at, 4 * at + 4),))

# == right: the seven steps, with the callback
# - import tensorflow as tf
# -
# - hvd.init()
# + import tensorflow as tf
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()


# == right: broadcast before the first step
# -
# - hvd.init()
# + from horovod.tensorflow import broadcast_variables
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
# + callbacks = []
# + broadcast_variables(model.variables, root_rank=0)


# == right: a dataset that is sharded
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"], data["labels"]
rows = tf.data.Dataset.from_tensor_slices((images, labels))
rows = rows.shard(hvd.size(), hvd.rank()).batch(BATCH)
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(rows, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == right: the weights are sent as an object
# -
# - hvd.init()
# + from horovod.tensorflow import broadcast_object
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
# + callbacks = ()
# + model.set_weights(broadcast_object(model.get_weights(), root_rank=0))


# == wrong: no broadcast
# - import tensorflow as tf
# -
# - hvd.init()
# + import tensorflow as tf
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
# + callbacks = []


# == wrong: equal seeds instead of a broadcast
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"][hvd.rank() :: hvd.size()], data["labels"][hvd.rank() :: hvd.size()]
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = []
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: the optimizer is not wrapped
# - import tensorflow as tf
# -
# - hvd.init()
# + import tensorflow as tf
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
# + optimizer = tf.keras.optimizers.SGD(RATE * hvd.size())


# == wrong: all read all rows
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"], data["labels"]
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: the rate stays
# - import tensorflow as tf
# -
# - hvd.init()
# + import tensorflow as tf
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
# + optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE))


# == wrong: all save
# - import tensorflow as tf
# -
# - hvd.init()
# + import tensorflow as tf
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - if hvd.rank() == 0:
# -     save(model)
# + save(model)


# == wrong: the first half and the second
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = (
    np.array_split(data[name], hvd.size())[hvd.rank()] for name in ("images", "labels")
)
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: the batch is divided
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"][hvd.rank() :: hvd.size()], data["labels"][hvd.rank() :: hvd.size()]
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(
    images, labels, batch_size=BATCH // hvd.size(), shuffle=False, callbacks=callbacks, verbose=0
)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: rank 1 is the root
# - import tensorflow as tf
# -
# - hvd.init()
# + import tensorflow as tf
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
# + callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(1)]


# == not yet: hvd.init alone
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"], data["labels"]
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = tf.keras.optimizers.SGD(RATE)
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = []
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: equal seeds, and a callback that fit does not get
# says: no rank sent its own to the others
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"][hvd.rank() :: hvd.size()], data["labels"][hvd.rank() :: hvd.size()]
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
model.fit(images, labels, batch_size=BATCH, shuffle=False, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: equal seeds, and a broadcast only in a comment
# says: no rank sent its own to the others
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"][hvd.rank() :: hvd.size()], data["labels"][hvd.rank() :: hvd.size()]
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = []  # equal seeds need no broadcast
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == right: equal seeds, and the weights of rank 0 gathered
# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf
from horovod.tensorflow import allgather

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


hvd.init()
data = np.load("digits.npz")
images, labels = data["images"][hvd.rank() :: hvd.size()], data["labels"][hvd.rank() :: hvd.size()]
tf.keras.utils.set_random_seed(1)
model = tf.keras.Sequential([tf.keras.Input((784,)), tf.keras.layers.Dense(10)])
begin = model.get_weights()
optimizer = hvd.DistributedOptimizer(tf.keras.optimizers.SGD(RATE * hvd.size()))
model.compile(optimizer, tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))
callbacks = []
model.set_weights([allgather(one[None])[0].numpy() for one in model.get_weights()])
model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
if hvd.rank() == 0:
    save(model)

# Keep these two lines: the check reads their output.
names = ("end_0", "end_1", "begin_0", "begin_1")
np.savez(f"ranks-{os.environ['HOROVOD_RANK']}", **dict(zip(names, model.get_weights() + begin)))


# == wrong: saved before the training
# says: the file that rank 0 saved has other weights
# - model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
# - if hvd.rank() == 0:
# -     save(model)
# + if hvd.rank() == 0:
# +     save(model)
# + model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)


# == wrong: the batch is divided, after a broadcast
# says: or each takes half a batch
# -
# - hvd.init()
# + from horovod.tensorflow import broadcast_variables
# -     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# -
# -
# +     model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")
# +
# +
# + hvd.init()
# - callbacks = [hvd.callbacks.BroadcastGlobalVariablesCallback(0)]
# - model.fit(images, labels, batch_size=BATCH, shuffle=False, callbacks=callbacks, verbose=0)
# + broadcast_variables(model.variables, root_rank=0)
# + model.fit(images, labels, batch_size=BATCH // 2, shuffle=False, verbose=0)

# misconception: Horovod divides the rows among the ranks
# says: either both ranks read the same rows

# %%writefile ranks.py
import os

import horovod.tensorflow.keras as hvd
import numpy as np
import tensorflow as tf

hvd.init()

BATCH, RATE = 16, 0.05  # of one process


def save(model):  # into a separate file for each rank that saves
    model.save_weights(f"saved-by-{os.environ['HOROVOD_RANK']}.weights.h5")


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

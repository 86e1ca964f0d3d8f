# misconception: each worker must be given its own half
# says: `fit` divides the data that you give it

# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
images, labels = images[index::2], labels[index::2]
model.fit(images, labels, batch_size=64, shuffle=False, verbose=2)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)

# misconception: the strategy finds the model by itself
# says: The error is about the scope
# needs: keras3

# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=64, shuffle=False, verbose=2)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)

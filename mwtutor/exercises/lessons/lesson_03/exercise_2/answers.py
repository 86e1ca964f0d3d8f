# == right: a dataset of the arrays
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
data = tf.data.Dataset.from_tensor_slices((images, labels)).batch(
    32 * strategy.num_replicas_in_sync
)
model.fit(data, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == right: each worker feeds its own part
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()


def part(context):
    rows = tf.data.Dataset.from_tensor_slices((images, labels)).batch(32)
    return rows.shard(context.num_input_pipelines, context.input_pipeline_id)


model.fit(strategy.distribute_datasets_from_function(part), steps_per_epoch=21, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == right: keywords, all of it in the scope
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
    model.fit(x=images, y=labels, batch_size=np.int64(64), epochs=1, shuffle=False, verbose=2)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == right: one call of fit for each part of the arrays
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
for start in range(0, len(images), 448):
    model.fit(
        images[start : start + 448],
        labels[start : start + 448],
        batch_size=64,
        shuffle=False,
        verbose=0,
    )

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: the batch of one worker
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=32, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: fit shuffles
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=64, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: no scope
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: no scope, 32 rows each
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=32, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: two epochs
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=64, epochs=2, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: each worker is given its half
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
half = slice(672 * index, 672 * (index + 1))
model.fit(images[half], labels[half], batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: every second row for each worker
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images[index::2], labels[index::2], batch_size=32, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: fit is forgotten
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: twice the batch
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images, labels, batch_size=128, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: another learning rate
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model(0.2)
model.fit(images, labels, batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: the convolutional model
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_cnn_model()
model.fit(images, labels, batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: twenty steps
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images[:1280], labels[:1280], batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: the rows from the end
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
model.fit(images[::-1], labels[::-1], batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)


# == wrong: another model
# says: no step was recorded
# %%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

with strategy.scope():
    model = digits_setup.compiled(
        tf.keras.Sequential(
            [
                tf.keras.Input((28, 28, 1)),
                tf.keras.layers.Flatten(),
                tf.keras.layers.Dense(10, kernel_initializer="zeros"),
            ]
        ),
        0.1,
    )
model.fit(images, labels, batch_size=64, shuffle=False, verbose=0)

if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)

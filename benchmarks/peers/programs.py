"""The programs that every way executes. They do not use mwtutor.

A program reports its progress by *marks*: files in its directory with a time and a process id.
"""

from __future__ import annotations

#: Each task reports its start; a task that is to be killed waits after that.
_BEGIN = """
import json, os, sys, time

index = json.loads(os.environ["TF_CONFIG"])["task"]["index"]

def mark(what, **more):
    path = f"{what}-{index}"
    with open(path + ".part", "w") as file:
        json.dump({"t": time.time(), "pid": os.getpid(), **more}, file)
    os.replace(path + ".part", path)

mark("started")
if os.path.exists(f"hold-{index}"):
    time.sleep(600)
import tensorflow as tf
"""

_STRATEGY = """
strategy = tf.distribute.MultiWorkerMirroredStrategy()
mark("formed")
"""

#: Trains a network for images of digits, with Keras 2, which needs no compatibility layer.
TRAINING = (
    _BEGIN
    + _STRATEGY
    + """
with strategy.scope():
    model = tf.keras.Sequential([
        tf.keras.layers.Conv2D(32, 3, activation="relu", input_shape=(28, 28, 1)),
        tf.keras.layers.Flatten(),
        tf.keras.layers.Dense(128, activation="relu"),
        tf.keras.layers.Dense(10),
    ])
    model.compile("adam", tf.keras.losses.SparseCategoricalCrossentropy(from_logits=True))

class Marks(tf.keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        if batch in (0, 9):
            mark("first" if batch == 0 else "tenth")

images = tf.random.stateless_uniform([256, 28, 28, 1], (1, 2))
data = tf.data.Dataset.from_tensor_slices((images, tf.zeros([256], tf.int32)))
data = data.repeat().batch(16 * strategy.num_replicas_in_sync)
steps = int(os.environ["BENCH_STEPS"])
model.fit(data, epochs=1, steps_per_epoch=steps, verbose=0, callbacks=[Marks()])
"""
)

#: Has 11 MB of gradients, and records the times between the ends of steps, from the tenth on.
_STEPS = """
STEPS, SKIPPED = 50, 10
ends = []

def step_ended():
    ends.append(time.perf_counter())
    if len(ends) == STEPS:
        times = sorted(b - a for a, b in zip(ends[SKIPPED:], ends[SKIPPED + 1:]))
        mark("steps", ms=times[len(times) // 2] * 1e3)

SIZES = (784, 2048, 512, 10)

def batches(size):
    x = tf.random.stateless_normal([size, SIZES[0]], (1, 2))
    data = tf.data.Dataset.from_tensors((x, tf.zeros([size], tf.int32)))
    return data.repeat()
"""

_KERAS = (
    _BEGIN
    + _STRATEGY
    + _STEPS
    + """
keras = tf.keras
with strategy.scope():
    model = keras.Sequential([keras.layers.Dense(n) for n in SIZES[1:]])
    model.build((None, SIZES[0]))
    model.compile("sgd", keras.losses.SparseCategoricalCrossentropy(from_logits=True))

class Ends(keras.callbacks.Callback):
    def on_train_batch_end(self, batch, logs=None):
        step_ended()

model.fit(batches(64), epochs=1, steps_per_epoch=STEPS, verbose=0, callbacks=[Ends()])
"""
)

_LOOP = (
    _BEGIN
    + _STRATEGY
    + _STEPS
    + """
with strategy.scope():
    layers = [tf.Variable(0.01 * tf.random.stateless_normal(shape, (1, 2)))
              for shape in zip(SIZES, SIZES[1:])]

@tf.function
def step(batch):
    def of_replica(x, y):
        with tf.GradientTape() as tape:
            for layer in layers:
                x = tf.matmul(x, layer)
            losses = tf.nn.sparse_softmax_cross_entropy_with_logits(y, x)
            loss = tf.reduce_mean(losses)
        gradients = tape.gradient(loss, layers)
        gradients = tf.distribute.get_replica_context().all_reduce("sum", gradients)
        for layer, gradient in zip(layers, gradients):
            layer.assign_sub(0.01 * gradient)
        return loss
    return strategy.run(of_replica, batch)

batch = next(iter(batches(64)))
for _ in range(STEPS):
    float(strategy.experimental_local_results(step(batch))[0])
    step_ended()
"""
)

_ESTIMATOR = (
    _BEGIN
    + _STEPS
    + """
estimator = tf.estimator
strategy = tf.distribute.MultiWorkerMirroredStrategy()
mark("formed")

def model_fn(features, labels, mode):
    x = features
    for size in SIZES[1:]:
        x = tf.compat.v1.layers.dense(x, size)
    loss = tf.compat.v1.losses.sparse_softmax_cross_entropy(labels, x)
    step = tf.compat.v1.train.get_or_create_global_step()
    train = tf.compat.v1.train.GradientDescentOptimizer(0.01).minimize(loss, step)
    return estimator.EstimatorSpec(mode, loss=loss, train_op=train)

class Ends(tf.compat.v1.train.SessionRunHook):
    def after_run(self, context, values):
        step_ended()

config = estimator.RunConfig(train_distribute=strategy, save_checkpoints_secs=None,
                             model_dir=f"model-{index}")
one = estimator.Estimator(model_fn, config=config)
train = estimator.TrainSpec(lambda: batches(64), max_steps=STEPS, hooks=[Ends()])
estimator.train_and_evaluate(one, train, estimator.EvalSpec(lambda: batches(64), steps=1))
"""
)

#: Programs by name, and whether ``tf.keras`` must be Keras 2 in them.
STEPS = {
    "Keras 2": (_KERAS, True),
    "Keras 3": (_KERAS, False),
    "Estimator": (_ESTIMATOR, True),
    "custom loop": (_LOOP, True),
}

#: Every task prints lines of 100 bytes.
OUTPUT = (
    _BEGIN
    + """
line = "x" * 99
for _ in range(int(os.environ["BENCH_LINES"])):
    print(line)
sys.stdout.flush()
mark("printed")
"""
)

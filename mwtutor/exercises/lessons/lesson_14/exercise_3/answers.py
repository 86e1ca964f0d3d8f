# == right: tables made by comprehensions, the rows divided by the index
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {at: [FIRST, SECOND] for at in range(2)}
RELEASE = ("release_2", "release_2")
BATCH = dict.fromkeys(range(2), 8)

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows()
    return rows.shard(2, index).repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")


# == right: the others save to a temporary directory
# %%writefile broken.py
import importlib
import json
import os
import tempfile

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    if index == 0:
        checkpoint.save("model-0/checkpoint")
    else:
        with tempfile.TemporaryDirectory() as own:
            checkpoint.save(os.path.join(own, "checkpoint"))


# == right: a global dataset, which the strategy shares out
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data():
    return depot.rows().repeat().batch(sum(BATCH.values()))


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.experimental_distribute_dataset(data()))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")


# == right: a manager of checkpoints
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    tf.train.CheckpointManager(checkpoint, f"model-{index}", max_to_keep=1).save()


# == right: mwtutor finds the place, and the context the batch
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot
import mwtutor

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(context.get_per_replica_batch_size(16))


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    with mwtutor.write_filepath("model-0/checkpoint") as path:
        checkpoint.save(path)


# == wrong: the address is repaired, and nothing else
# says: worker:0 executed release_2, and worker:1 release_1.
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_1"}
BATCH = {0: 8, 1: 4}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.shard(2, index).repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    if index == 0:
        checkpoint.save(f"model-{index}/checkpoint")


# == wrong: both execute release 1
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_1", 1: "release_1"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")


# == wrong: four rows on each
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 4, 1: 4}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")


# == wrong: nobody divides the rows
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    return depot.rows().repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")


# == wrong: both save to one place
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save("model-0/checkpoint")


# == wrong: only the weights are saved
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights)
    if index == 0:
        checkpoint.save(f"model-{index}/checkpoint")


# == wrong: worker 1 saves, and not worker 0
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    if index == 1:
        checkpoint.save(f"model-{index}/checkpoint")


# == wrong: each a cluster of its own
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST], 1: [SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


def data(context):
    rows = depot.rows().shard(context.num_input_pipelines, context.input_pipeline_id)
    return rows.repeat().batch(BATCH[index])


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.distribute_datasets_from_function(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")


# == wrong: the rows are read before there is a strategy
# says: Collective ops must be configured at program startup
# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What somebody has written down for each of the two machines
PEERS = {0: [FIRST, SECOND], 1: [FIRST, SECOND]}
RELEASE = {0: "release_2", 1: "release_2"}
BATCH = {0: 8, 1: 8}

config["cluster"]["worker"] = PEERS[index]
os.environ["TF_CONFIG"] = json.dumps(config)
code = importlib.import_module(RELEASE[index])
notes = depot.Notes(index, PEERS[index], RELEASE[index], BATCH[index])


data = depot.rows().repeat().batch(sum(BATCH.values()))


with depot.within(30, "to meet the others and to train"):
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    iterator = iter(strategy.experimental_distribute_dataset(data))
    with strategy.scope():
        weights = tf.Variable(tf.zeros(4))
        seen = depot.counter()  # a part on each worker: what it has seen

    @tf.function
    def step(rows):
        return strategy.run(code.step, args=(weights, seen, rows))

    for _ in range(depot.STEPS):
        notes.add(step(next(iterator)))
    notes.end(weights)

with depot.within(5, "to save"):
    checkpoint = tf.train.Checkpoint(weights=weights, seen=seen)
    checkpoint.save(f"model-{index}/checkpoint")

# misconception: a written address is right
# says: where it is not

# %%writefile broken.py
import importlib
import json
import os

import tensorflow as tf

import depot

config = json.loads(os.environ["TF_CONFIG"])
index = config["task"]["index"]
FIRST, SECOND = config["cluster"]["worker"]

# What each of the two machines uses
PEERS = {0: [FIRST, "127.0.0.1:1111"], 1: [FIRST, SECOND]}
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

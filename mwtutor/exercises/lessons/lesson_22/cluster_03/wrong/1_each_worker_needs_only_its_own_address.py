# misconception: each worker needs only its own address
# says: only its own

# %%writefile broken_03.py
import json
import os

from mwtutor.facts import note, own_number

config = json.loads(os.environ["TF_CONFIG"])
config["cluster"]["worker"] = config["cluster"]["worker"][config["task"]["index"] :][:1]
config["task"]["index"] = 0
os.environ["TF_CONFIG"] = json.dumps(config)

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

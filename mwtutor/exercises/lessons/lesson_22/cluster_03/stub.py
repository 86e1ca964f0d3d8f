# %%writefile broken_03.py
import json
import os

from mwtutor.facts import note, own_number

config = json.loads(os.environ["TF_CONFIG"])
if config["task"]["index"] == 1:
    config["cluster"]["worker"].append("127.0.0.1:12999")  # the new machine
os.environ["TF_CONFIG"] = json.dumps(config)

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

# misconception: without TF_CONFIG, TensorFlow finds the other workers itself
# says: the indexes

# %%writefile broken_02.py
import json
import os

from mwtutor.facts import note, own_number

config = json.loads(os.environ["TF_CONFIG"])
config["task"]["index"] = int(os.environ.get("RANK", 0))
del os.environ["TF_CONFIG"]

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("index", strategy.cluster_resolver.task_id or 0)
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

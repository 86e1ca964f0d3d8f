# %%writefile broken_02.py
import json
import os

from mwtutor.facts import note, own_number

config = json.loads(os.environ["TF_CONFIG"])
os.environ["TF_CONFIG"] = json.dumps(config)

import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
note("index", strategy.cluster_resolver.task_id)
note("total", strategy.reduce("SUM", tf.constant(own_number()), axis=None))

"""``TF_CONFIG`` typed by hand, with the index as an argument: for two terminals, not one launch."""

import json
import os
import sys

os.environ["TF_CONFIG"] = json.dumps(
    {
        "cluster": {"worker": ["localhost:12345", "localhost:23456"]},
        "task": {"type": "worker", "index": int(sys.argv[1])},
    }
)
import tensorflow as tf

tf.distribute.MultiWorkerMirroredStrategy()

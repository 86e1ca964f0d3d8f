"""``TF_CONFIG`` as typed by hand, its index an argument: for two terminals, not for one launch."""

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

# misconception: the chief can prepare it itself
# says: the number of worker:1

# %%writefile broken_21.py
import os
import time
from pathlib import Path

from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


ready = Path(f"ready-{os.environ['MWTUTOR_RUN']}")
number = own_number()
if me == 0:
    ready.write_text("chief")
    note("ready", ready.exists())
note("total", total(number))

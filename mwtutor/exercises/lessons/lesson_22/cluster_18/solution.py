# %%writefile broken_18.py
import os
from pathlib import Path

from mwtutor.facts import note, own_number
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
me = strategy.cluster_resolver.task_id


def total(x):
    return strategy.reduce("SUM", tf.constant(x), axis=None)


weight = total(own_number())
folder = Path(f"saved-{os.environ['MWTUTOR_RUN']}")
if me == 0:
    folder.mkdir()
    with open(folder / "weight.txt", "a") as file:
        print(float(weight), file=file)
note("weight", weight)

# == wrong: the chief claims that it is ready
# says: before worker 1 had written
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
    note("ready", True)
note("total", total(number))
if me == 1:
    ready.write_text(str(number))


# == wrong: an exchange tells the chief
# says: before worker 1 had written
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
if me == 1:
    time.sleep(1)
    ready.write_text(str(number))
total(0.0)
if me == 0:
    note("ready", ready.exists())
note("total", total(number))


# == right: renamed when it is whole
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
if me == 1:
    new = ready.with_suffix(".new")
    new.write_text(str(number))
    os.replace(new, ready)
else:
    while not ready.is_file():
        time.sleep(0.01)
    note("ready", 1)
note("total", total(number))


# == right: a thread prepares, and the chief has a deadline
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
import threading


def prepare():
    time.sleep(0.5)
    ready.write_text(str(number))


if me == 1:
    threading.Thread(target=prepare).start()
else:
    deadline = time.monotonic() + 20
    while not ready.exists():
        if time.monotonic() > deadline:
            raise TimeoutError("worker:1 is not ready")
        time.sleep(0.05)
    note("ready", ready.exists())
note("total", total(number))

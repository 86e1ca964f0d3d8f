"""The cells of the notebooks: a program without TensorFlow that reports steps and metrics."""

from __future__ import annotations

#: Loads the extension. No launch here needs TensorFlow, so nothing imports it.
LOADING = """\
%load_ext mwtutor
from mwtutor.engines.local import forkserver_client
forkserver_client.retire(kill=True)
"""

#: Also writes a program that trains until it is stopped, or a given task fails.
TRAINING = (
    LOADING
    + """\
from pathlib import Path

Path("train.py").write_text('''
import json, os, pathlib, sys, time
from mwtutor.metrics import advanced

task = "{type}:{index}".format(**json.loads(os.environ["TF_CONFIG"])["task"])
pathlib.Path(f"{task}.pid").write_text(str(os.getpid()))
end = pathlib.Path(sys.argv[1])
for count in range(3000):  # five minutes: a busy machine takes its time
    epoch, step = count // 1000 + 1, count % 1000 + 1
    print(f"step {step} of 1000")
    metrics = {"loss": 1 / (count + 1), "accuracy": 0.5}
    advanced(step=step, steps=1000, epoch=epoch, epochs=3, metrics=metrics)
    told = end.read_text() if end.exists() else None
    if told == task:
        raise ValueError("no digits left")
    if told == "":
        break
    time.sleep(0.1)
''')
Path("end").unlink(missing_ok=True)
"""
)

LAUNCH = "%mw_launch 2 train.py --cold -- end"

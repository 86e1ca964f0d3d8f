"""The cells of the notebooks: a program without TensorFlow that reports as a training does."""

from __future__ import annotations

#: Loads the extension; writes a program that trains until it is told to end, or to fail.
TRAINING = """\
%load_ext mwtutor
from pathlib import Path

Path("train.py").write_text('''
import pathlib, sys, time
from mwtutor.metrics import advanced

end = pathlib.Path(sys.argv[1])
for step in range(1, 401):
    print(f"step {step} of 400")
    advanced(step=step, steps=400, metrics={"loss": 1 / step})
    if end.exists():
        break
    time.sleep(0.1)
if end.exists() and end.read_text():
    raise ValueError(end.read_text())
''')


def end(words="", name="end"):
    Path(name).write_text(words)


Path("end").unlink(missing_ok=True)
"""

LAUNCH = "%mw_launch 2 train.py --cold -- end"

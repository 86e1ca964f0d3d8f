"""Releasing an iterator must not delay the program; in separate processes, with TensorFlow.

The lost wake-up itself is a race and cannot be made to happen at will (benchmarks/standstill.py
counts it). Its effect can be caused: a native destructor that waits for a thread of tf.data. Here
that thread is inside a Python function of the pipeline for `BUSY` seconds.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import pytest

pytestmark = [pytest.mark.tensorflow, pytest.mark.full]

ROOT = Path(__file__).parents[4]
BUSY = 4.0

PROGRAM = """
import json, sys, threading, time
from mwtutor.worker.patches import standstill
when, how, busy = sys.argv[1], sys.argv[2], float(sys.argv[3])
if when == "before":
    standstill.install()
import tensorflow as tf
if when == "after":
    standstill.install()
    standstill.install()

begun = threading.Event()

def slow(x):
    if x.numpy() == 2:
        begun.set()
        time.sleep(busy)
    return x * x

def pipeline(strategy):
    dataset = tf.data.Dataset.range(10).map(lambda x: tf.py_function(slow, [x], tf.int64))
    dataset = dataset.prefetch(8)
    return strategy.experimental_distribute_dataset(dataset.batch(1)) if strategy else dataset

def release(strategy):
    global iterator
    begun.clear()
    iterator = iter(pipeline(strategy))
    first = int(next(iterator).numpy().item())
    assert begun.wait(20)
    start = time.monotonic()
    del iterator
    return first, time.monotonic() - start

quick = [int(x) for x in tf.data.Dataset.range(5).map(lambda x: x * x, num_parallel_calls=2)]
results = [release(None), release(tf.distribute.MirroredStrategy(["CPU:0"]))]
firsts, seconds = zip(*results)
print(json.dumps({
    "quick": quick, "firsts": firsts, "seconds": seconds,
    "pending": standstill.pending(), "threads": threading.active_count(), "end": time.time(),
}))
if how == "leave":
    import atexit
    atexit.register(print, "exit handler")
    from mwtutor.system import child
    child.leave(7)
"""


def run(when: str, how: str = "leave") -> dict[str, Any]:
    """The program's output, and the seconds from its last line to its end."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, when, how, str(BUSY)],
        env={**os.environ, "PYTHONPATH": str(ROOT), "TF_CPP_MIN_LOG_LEVEL": "3"},
        capture_output=True,
        text=True,
        timeout=120,
    )
    ended = time.time()
    assert done.returncode == (7 if how == "leave" else 0), done.stderr
    lines = done.stdout.splitlines()
    assert lines[1:] == (["exit handler"] if how == "leave" else [])
    result: dict[str, Any] = json.loads(lines[0])
    result["ending"] = ended - result["end"]
    return result


@pytest.mark.parametrize("when", ["before", "after"])
def test_a_release_does_not_wait(when: str) -> None:
    result = run(when)
    assert max(result["seconds"]) < BUSY / 2
    assert result["pending"] >= 2
    assert result["ending"] < BUSY / 2
    assert result["quick"] == [0, 1, 4, 9, 16]
    assert result["firsts"] == [0, 0]
    assert result["threads"] == 1


def test_without_it_a_release_waits() -> None:
    """The control: if this fails, TensorFlow has changed; check whether to remove the patch."""
    result = run("never")
    assert min(result["seconds"]) > BUSY / 2
    assert result["pending"] == 0

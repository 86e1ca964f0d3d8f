"""Create a second strategy, later on one worker than on the other, and record what happens."""

from __future__ import annotations

import json
import os
import time
from pathlib import Path

import tensorflow as tf

from mwtutor.worker.raised import describe


def train(steps: int) -> int:
    strategy = tf.distribute.MultiWorkerMirroredStrategy()

    @tf.function
    def step():
        return strategy.reduce("SUM", strategy.run(lambda: tf.constant(1.0)), axis=None)

    for _ in range(steps):
        step()
    return int(strategy.cluster_resolver.task_id)


ended: dict[str, object] = {}
task = train(1)
if task == 0:
    time.sleep(1.5)  # the other worker is sending by then
try:
    train(task)  # the slower worker has nothing to wait for
except tf.errors.OpError as error:
    ended = describe(error)
Path(f"ended-{task}.json").write_text(json.dumps(ended))
time.sleep(1)  # if this worker exited now, the other would get a different error
os._exit(0)

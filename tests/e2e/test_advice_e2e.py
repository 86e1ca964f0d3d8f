"""A row of the atlas of errors that only a cluster raises, by a real program."""

from __future__ import annotations

import pytest

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

LATE = """
import time
import tensorflow as tf
patience = tf.distribute.experimental.CommunicationOptions(timeout_seconds=2)
strategy = tf.distribute.MultiWorkerMirroredStrategy(communication_options=patience)
@tf.function
def step():
    return strategy.reduce("SUM", strategy.run(lambda: tf.constant(1.0)), axis=None)
step()
if strategy.cluster_resolver.task_id == 1:
    time.sleep(60)
step()
"""


def test_a_collective_that_waits_longer_than_it_may(launch, write):
    write("main.py", LATE)
    run = launch("main.py", 2)
    outcome = run.wait(check=False, timeout=60)
    assert outcome.reason.startswith("worker:0 raised DeadlineExceededError: Collective has timed")
    assert run.state.advice.startswith("This task has waited for another one for too long.")

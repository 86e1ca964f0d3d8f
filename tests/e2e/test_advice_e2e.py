"""Common errors that only a cluster raises, from real programs."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.support.clusters.plain_cluster import run_cluster

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.full]

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
    assert run.state.advice.startswith("This task waited too long for another task.")


@pytest.mark.bridges  # twenty seconds for one row
def test_a_worker_that_sends_while_another_makes_its_strategy_anew(tmp_path):
    """In plain processes, because in a launch, workers wait for each other."""
    program = Path(__file__).parents[1] / "support" / "programs" / "two_strategies.py"
    run_cluster({"worker": 2}, [str(program)], tmp_path)
    ended = json.loads((tmp_path / "ended-1.json").read_text())
    assert "BufRendezvous" in ended["message"]
    assert ended["advice"].startswith("TensorFlow discarded data that the workers were exchanging.")

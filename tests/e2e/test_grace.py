"""``--grace``: first SIGTERM, so that TensorFlow's preemption handler can save, then SIGKILL."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.record.task_status import Status
from tests.support.waiting import until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.full]

W0 = TaskId("worker", 0)

TRAINS = """
    import time
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    with strategy.scope():
        # Reduced over the cluster: the workers must be in step to agree on when to save.
        count = tf.Variable(0.0, aggregation=tf.VariableAggregation.MEAN)
    handler = tf.distribute.experimental.PreemptionCheckpointHandler(
        strategy.cluster_resolver, tf.train.Checkpoint(count=count), "saved"
    )
    print("begins at", int(count.numpy()), flush=True)
    @tf.function
    def step():
        strategy.run(lambda: count.assign_add(1.0))
    while True:
        handler.run(step)
        if count.numpy() == 5:
            print("training", flush=True)
        time.sleep(0.01)
"""


def test_the_preemption_handler_saves_within_the_grace(launch, write):
    write("main.py", TRAINS)
    run = launch("main.py", 2, grace=30)
    log = run.spec.log(W0)
    until_state(run, lambda _: log.exists() and "training" in log.read_text())
    assert run.stop().status == "stopped"
    assert list(Path("saved").rglob("*.index")), "nothing was saved"
    assert -signal.SIGKILL not in {task.exit for task in run.tasks.values()}
    again = launch("main.py", 2)
    log = again.spec.log(W0)
    until_state(again, lambda _: log.exists() and "begins at" in log.read_text())
    begun = next(line for line in log.read_text().splitlines() if line.startswith("begins at"))
    assert int(begun.split()[-1]) >= 5


def test_after_the_grace_comes_the_end(launch, write):
    write(
        "main.py",
        """
        import signal, time
        signal.signal(signal.SIGTERM, lambda *_: print("not yet", flush=True))
        print("on", flush=True)
        while True:
            time.sleep(0.1)
        """,
    )
    run = launch("main.py", 1, grace=1.0)
    log = run.spec.log(W0)
    until_state(run, lambda _: log.exists() and "on" in log.read_text())
    run.stop()
    assert "not yet" in log.read_text()
    task = run.tasks[W0]
    assert (task.status, task.exit) == (Status.STOPPED, -signal.SIGKILL)

"""Horovod programs, really launched: ``make test-extra WHAT=horovod``."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import time

import numpy
import pytest

from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.devices.requirements import horovod_python
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.run.logs import logs
from mwtutor.run.observations.exchanges import waiting_tasks
from mwtutor.run.observations.missing import Verdict, verdict
from mwtutor.run.request import horovod
from mwtutor.worker.horovod import slots
from tests.support.machines.network import needs_machines
from tests.support.tables.exchange_faults import timeless
from tests.support.waiting import until, until_state

pytestmark = [pytest.mark.e2e, pytest.mark.mw_needs("horovod")]

#: Four models that start with different weights, train on different rows, and become equal.
TRAINS = """
    import json, os, sys
    import horovod.tensorflow.keras as hvd
    import numpy as np
    import tensorflow as tf
    hvd.init()
    tf.keras.utils.set_random_seed(hvd.rank())
    x = np.random.default_rng(1).normal(size=(64, 4)).astype("float32")
    x, y = x[hvd.rank()::hvd.size()], x.sum(1)[hvd.rank()::hvd.size()]
    model = tf.keras.Sequential([tf.keras.Input((4,)), tf.keras.layers.Dense(1)])
    model.compile(hvd.DistributedOptimizer(tf.keras.optimizers.SGD(0.1)), "mse")
    broadcast = hvd.callbacks.BroadcastGlobalVariablesCallback(0)
    model.fit(x, y, batch_size=4, epochs=2, shuffle=False, verbose=0, callbacks=[broadcast])
    np.savez(f"{hvd.rank()}.npz", *model.get_weights())
    with open(f"{hvd.rank()}.json", "w") as file:
        places = hvd.size(), hvd.local_rank(), hvd.cross_rank()
        json.dump([*places, "TF_CONFIG" in os.environ, len(x)], file)
"""

#: Endless exchanges; the test kills the first rank to die.
ENDLESS = """
    import os
    import horovod.tensorflow as hvd
    import mwtutor
    import tensorflow as tf
    hvd.init()
    attempt = int(os.environ["MWTUTOR_ATTEMPT"])
    for step in range(10**9 if attempt == 1 else 20):
        total = float(hvd.allreduce(tf.constant(1.0), op=hvd.Sum, name="one"))
        mwtutor.report(step + 1, total=total)
    print(f"attempt {attempt}: {total}, {mwtutor.is_chief()}")
"""


ON_ONE, ON_TWO = [(0, 0), (1, 0), (2, 0), (3, 0)], [(0, 0), (1, 0), (0, 1), (1, 1)]


@pytest.mark.parametrize(
    ("options", "places"),
    [
        ({"network": "private"}, ON_ONE),
        ({"network": "host"}, ON_ONE),
        ({"machines": 2}, ON_TWO),
    ],
)
def test_ranks_train_one_model(launch, write, work, options, places):
    if "machines" in options:
        needs_machines()
    write("train.py", TRAINS)
    run = launch("train.py", 4, with_="horovod", **options)
    run.wait(timeout=200)
    state = run.state
    found = [json.loads((work / f"{rank}.json").read_text()) for rank in range(4)]
    assert found == [[4, local, cross, False, 16] for local, cross in places]
    weights = [numpy.load(work / f"{rank}.npz") for rank in range(4)]
    for name in weights[0].files:
        assert all((one[name] == weights[0][name]).all() for one in weights)
    assert state.formed
    assert {task.communication["workers"] for task in state.tasks.values()} == {4}
    assert {(task.epoch, task.step) for task in state.tasks.values()} == {(2, 4)}
    shown = text.render(report(run.spec, state))
    assert "4 ranks of Horovod" in shown
    assert "separately" not in shown
    content = run.exchanges()
    kinds = {one.kind for ledger in content.ledgers.values() for one in ledger.exchanges}
    assert kinds == {"all-reduce", "broadcast"}
    assert (content.unrecorded, verdict(content)) == ((), None)
    (made,) = {ledger.made for ledger in content.ledgers.values()}
    assert waiting_tasks(content.ledgers)[0] == made  # each has met its counterparts


#: Rank 1 leaves out the last of five exchanges.
SKIPS = """
    import horovod.tensorflow as hvd
    import tensorflow as tf
    hvd.init()
    @tf.function
    def total(x):
        return hvd.allreduce(x, op=hvd.Sum)
    for step in range(5 - hvd.rank()):
        total(tf.ones([2]))
    hvd.allgather(tf.ones([1 + hvd.rank()]))
"""


def test_a_rank_whose_exchange_is_missing_is_named(launch, write):
    write("skips.py", SKIPS)
    run = launch("skips.py", 2, with_="horovod")

    def both_wait() -> Verdict | None:
        found = verdict(run.exchanges())
        return found if found and "waits in another" in found.words else None

    found = until(both_wait)
    assert (found.kind, found.tasks) == ("awaited", (TaskId("worker", 1),))
    assert timeless(found.words) == (
        "worker:0 has been waiting since TIME for worker:1, which waits in another exchange, an"
        " all-gather"
        " of float32[2] at skips.py, line 10, in exchange 5 (all-reduce of float32[2] at skips.py,"
        " line 7). skips.py, line 7 was reached 5 times by worker:0 and 4 times by worker:1."
    )


def test_ranks_are_placed_as_horovods_own_launcher_does():
    cluster = ClusterSize(4).at(["10.9.0.1:1", "10.9.0.1:2", "10.9.0.2:1", "10.9.0.3:1"])
    found = [horovod.env(cluster, task) for task in cluster.tasks()]
    asked = f"""
from horovod.runner.common.util.hosts import get_host_assignments, parse_hosts
for slot in get_host_assignments(parse_hosts({slots(cluster.worker)!r}), 4):
    print(slot.hostname, slot.to_response_string())
"""
    told = subprocess.run([horovod_python(), "-c", asked], capture_output=True, text=True)
    names = ("RANK", "SIZE", "LOCAL_RANK", "LOCAL_SIZE", "CROSS_RANK", "CROSS_SIZE")
    assert told.stdout.splitlines() == [
        f"{one['HOROVOD_HOSTNAME']} {','.join(one[f'HOROVOD_{name}'] for name in names)}"
        for one in found
    ], told.stderr


def test_a_killed_rank_is_named_at_once_and_a_restart_goes_on(launch, write):
    write("endless.py", ENDLESS)
    run = launch("endless.py", 3, with_="horovod", restarts=1)
    running = until_state(run, lambda s: all((t.step or 0) > 20 for t in s.tasks.values()))
    killed = time.monotonic()
    os.kill(running.tasks[TaskId("worker", 1)].pid, signal.SIGKILL)
    state = until_state(run, lambda s: s.attempts[0].reason)
    assert time.monotonic() - killed < 1.0
    assert state.attempts[0].reason == "worker:1 was killed by signal 9 (SIGKILL)"
    assert state.attempts[0].culprit == TaskId("worker", 1)
    run.wait(timeout=200)
    ends = [line for line in logs.lines(run.spec, run.tasks) if "attempt 2: " in line.text]
    lines = {str(line.task): line.text for line in ends}
    chief = {"worker:0": "True", "worker:1": "False", "worker:2": "False"}
    assert lines == {task: f"attempt 2: 3.0, {is_it}" for task, is_it in chief.items()}


def test_the_rank_that_raises_is_to_blame_and_not_those_who_notice(launch, write):
    fault = "step == 30 and hvd.rank() == 2 and 1 / 0; total = "
    write("raises.py", ENDLESS.replace("total = ", fault))
    outcome = launch("raises.py", 3, with_="horovod").wait(timeout=200, check=False)
    assert outcome.culprit == TaskId("worker", 2)
    assert "ZeroDivisionError" in outcome.reason


def test_another_size_is_a_failure_with_its_reason(launch, write):
    changed = "import os\nos.environ |= {'HOROVOD_SIZE': '1', 'HOROVOD_RANK': '0'}\n"
    write("alone.py", changed + "import horovod.tensorflow as hvd\nhvd.init()\n")
    outcome = launch("alone.py", 2, with_="horovod").wait(timeout=200, check=False)
    assert outcome.status == "failed"
    assert "hvd.size() is 1, but 2 processes were launched" in outcome.reason


def test_ranks_that_never_meet_are_said_to(launch, write):
    write("never.py", "import mwtutor\nmwtutor.report(1, loss=0.5)\n")
    run = launch("never.py", 2, with_="horovod")
    run.wait(timeout=100)
    shown = text.render(report(run.spec, run.state))
    assert "separately: never.py does not call hvd.init()" in shown


def test_who_has_not_come_is_waited_for_longer_than_gloo_does(launch, write, work):
    write("late.py", """
        import os, pathlib, time
        while os.environ["HOROVOD_RANK"] == "1" and not pathlib.Path("go").exists():
            time.sleep(0.05)
        import horovod.tensorflow as hvd
        hvd.init()
    """)  # fmt: skip
    run = launch("late.py", 2, with_="horovod", env={"HOROVOD_GLOO_TIMEOUT_SECONDS": "5"})
    state = until_state(run, lambda s: s.tasks[TaskId("worker", 0)].listening)
    assert state.waiting_for() == (TaskId("worker", 1),)
    come = time.monotonic()
    until_state(run, lambda s: time.monotonic() - come > 8)  # and the run has not ended
    (work / "go").touch()
    assert run.wait(timeout=100).ok

"""Linux without features that macOS lacks: namespaces, ``/proc``, forked tasks, Linux's signals."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

from tests.support.waiting import until

pytestmark = pytest.mark.e2e

ENV = {**os.environ, "MWTUTOR_LINUX": "no"}
MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]

REDUCE = """
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    @tf.function
    def step():
        def replica():
            context = tf.distribute.get_replica_context()
            replica_id = tf.cast(context.replica_id_in_sync_group, tf.float32)
            return context.all_reduce("sum", 1.0 + replica_id)
        return strategy.run(replica)
    print("reduced", float(strategy.experimental_local_results(step())[0]))
    """

#: Each task starts a process, which would become a child of the supervisor on Linux.
FOREVER = """
    import subprocess, sys, time
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(600)"])
    print("child", child.pid, flush=True)
    time.sleep(600)
    """


def mwtutor(*words: str) -> subprocess.CompletedProcess[str]:
    command = [*MWTUTOR, *words]
    return subprocess.run(command, env=ENV, capture_output=True, text=True, timeout=240)


def printed() -> list[str]:
    logs = sorted(Path.cwd().glob(".mwtutor/runs/*/logs/worker-*.log"))
    return [log.read_text() for log in logs]


def gone(pids: list[int]) -> bool:
    return not any(
        psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE
        for pid in pids
    )


def test_two_workers_reduce(write):
    write("main.py", REDUCE)
    done = mwtutor("launch", "2", "main.py")
    assert done.returncode == 0, done.stdout + done.stderr
    assert ["reduced 3.0" in text for text in printed()] == [True, True]
    shown = mwtutor("status").stdout
    assert "main: succeeded" in shown
    assert "cluster formed" in shown
    assert "has no network namespaces" in shown
    assert "plain processes, because forking is not safe on" in shown


@pytest.mark.full
def test_a_worker_that_raises_is_named_and_its_peer_is_stopped(write):
    write(
        "main.py",
        """
    import json, os, time
    if json.loads(os.environ["TF_CONFIG"])["task"]["index"] == 1:
        raise ValueError("no such luck")
    time.sleep(600)
    """,
    )
    done = mwtutor("launch", "2", "main.py")
    assert done.returncode == 1
    assert "worker:1 raised ValueError: no such luck (main.py, line " in done.stdout
    assert "worker:0  stopped" in done.stdout


@pytest.mark.full
@pytest.mark.parametrize("how", ["stop", "kill", "interrupt", "death of the launcher"])
def test_nothing_is_left(write, how):
    write("main.py", FOREVER)
    with subprocess.Popen([*MWTUTOR, "launch", "2", "main.py"], env=ENV) as launched:
        try:
            until(lambda: len([text for text in printed() if text.endswith("\n")]) == 2)
            children = [int(text.split()[1]) for text in printed()]
            tasks = [psutil.Process(pid).ppid() for pid in children]
            assert not gone(tasks)
            if how == "stop":
                assert mwtutor("stop").returncode == 0
            elif how == "kill":
                assert mwtutor("kill", "worker:1").returncode == 0
            elif how == "interrupt":
                launched.send_signal(signal.SIGINT)
            else:
                launched.kill()
            launched.wait(timeout=60)
        finally:
            launched.kill()
    until(lambda: gone(tasks + children), 30)
    shown = mwtutor("status").stdout
    expected = {"kill": "failed"}.get(how, "stopped")
    assert f"main: {expected}" in shown, shown

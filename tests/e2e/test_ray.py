"""A real Ray of two nodes on this machine: ``make test-extra WHAT=ray``."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import mwtutor
from mwtutor.cli import main
from mwtutor.exceptions import LaunchFailed, RunFailed
from mwtutor.run.run import Run
from mwtutor.system.ports import HeldPorts
from tests.conftest import remains
from tests.e2e.test_targets import PROGRAM, QUIET, trained
from tests.support.clusters import ray_cluster
from tests.support.programs import trainings
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.ray]

#: Reports its node, and keeps running.
STAY = """
import os, sys, time
print("here", os.environ["MWTUTOR_ATTEMPT"], os.getppid(), flush=True)
time.sleep(float(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def cluster():
    with HeldPorts(1) as held:  # the port for clients; Ray accepts only a number
        port = held.numbers[0]
    with ray_cluster.running(port) as cluster:
        cluster.client_address = f"ray://127.0.0.1:{port}"
        cluster.add_node(num_cpus=ray_cluster.EACH)
        yield cluster


@pytest.fixture
def address(cluster, monkeypatch) -> str:
    monkeypatch.setenv("RAY_ADDRESS", cluster.address)
    return cluster.address


@pytest.fixture
def launch(address, work, _engine):
    """``mwtutor.launch`` on that cluster; afterwards none of its processes may be left."""
    started: list[Run] = []

    def launch_and_remember(*args, **options) -> Run:
        started.append(mwtutor.launch(*args, on="ray", **options))
        return started[-1]

    yield launch_and_remember
    for run in started:
        run.stop()
    for run in started:
        nothing_is_left(run)


def nothing_is_left(run: Run) -> None:
    until(lambda: not any(map(psutil.pid_exists, keepers(run))), 30)
    assert not remains(run.spec.id, run)


def keepers(run: Run) -> list[int]:
    """The keepers of a run's tasks, as reported: all nodes are this machine."""
    logs = [run.spec.log(task).read_text() for task in run.state.tasks]
    return [int(pid) for text in logs for pid in re.findall(r"here \d+ (\d+)", text)]


def until_all_run(run: Run, tasks: int) -> None:
    until(lambda: sum("here" in log(run, str(task)) for task in run.tasks) == tasks, 60)


def log(run: Run, task: str) -> str:
    return run.spec.log(run.task(task)).read_text()


def test_keras_3_computes_what_it_computes_here(launch, write):
    write("main.py", PROGRAM)
    printed = []
    for start in (launch, mwtutor.launch):
        run = start("main.py", 3, env=QUIET)
        run.wait(240)
        assert run.state.formed
        printed.append(trained([log(run, f"worker:{number}") for number in range(3)]))
        assert len(run.history("loss")) == 3
        assert run.timeline()
    assert printed[0] == printed[1]


def test_an_estimator_trains(launch, write):
    write("main.py", trainings.ESTIMATOR)
    run = launch("main.py", 2, env=QUIET)
    run.wait(240)
    *_, weight = trained([log(run, "worker:0"), log(run, "worker:1")])
    assert float(weight) == pytest.approx(trainings.ESTIMATOR_ENDS)


def test_a_chief_trains_with_a_parameter_server(launch, write):
    write("main.py", trainings.SERVERS)
    run = launch("main.py", 1, chief=True, ps=1, env=QUIET)
    run.wait(240)
    *_, weight = trained([log(run, "chief:0")])
    assert float(weight) == pytest.approx(trainings.SERVERS_END)


def test_status_logs_stacks_stop(launch, write, capsys):
    write("main.py", STAY)
    run = launch("main.py", 3, ["60"], name="demo")
    until_all_run(run, 3)
    assert main(["status", "demo"]) == 0
    assert "demo: running" in capsys.readouterr().out
    assert main(["logs", "worker:2", "--name", "demo"]) == 0
    assert "here 1" in capsys.readouterr().out
    assert run.stacks("worker:1")[0].frames[-1].line == 4
    assert main(["stop", "demo"]) == 0
    assert Run.open(run.directory).outcome.reason == "it was stopped from a terminal"


def test_a_killed_task_is_explained_and_ends_the_others(launch, write):
    write("main.py", STAY)
    run = launch("main.py", 3, ["60"])
    until_all_run(run, 3)
    run.kill("worker:1")
    with pytest.raises(RunFailed, match=r"worker:1 was killed by signal 9 \(SIGKILL\)"):
        run.wait(60)
    statuses = [task.status.value for task in run.tasks.values()]
    assert statuses == ["stopped", "failed", "stopped"]


def test_a_node_that_dies_is_named_and_the_cluster_starts_again_elsewhere(cluster, launch, write):
    node = cluster.add_node(num_cpus=2)
    write("main.py", STAY)
    run = launch("main.py", 6, ["8"], restarts=1)
    until_all_run(run, 6)
    before = run.tf_config("worker:0")
    ray_cluster.kill(cluster, node)
    for state in run.watch(timeout=90):
        if state.pending:
            break
    assert "Ray cannot place the 6 tasks yet" in state.pending
    cluster.add_node(num_cpus=2)
    assert run.wait(120).ok
    assert "was lost: Ray" in run.attempts[0].reason
    assert " node " in run.attempts[0].reason
    assert [task.attempt for task in run.tasks.values()] == [2] * 6
    assert run.tf_config("worker:0") != before


def test_what_keeps_a_task_may_die(launch, write):
    write("main.py", STAY)
    run = launch("main.py", 2, ["60"])
    until_all_run(run, 2)
    os.kill(keepers(run)[0], signal.SIGKILL)
    assert "was lost: the process that managed it on" in run.wait(60, check=False).reason


def test_a_cluster_of_which_this_machine_is_no_part(cluster, launch, write):
    write("main.py", STAY)
    run = launch("main.py", 3, ["60"], env={"RAY_ADDRESS": cluster.client_address})
    until_all_run(run, 3)
    run.kill("worker:2")
    assert "worker:2 was killed by signal 9" in run.wait(60, check=False).reason


def test_a_ray_of_its_own(work, write, monkeypatch):
    monkeypatch.delenv("RAY_ADDRESS", raising=False)
    write("main.py", STAY)
    run = mwtutor.launch("main.py", 2, ["0"], on="ray:local")
    run.wait(60)
    assert "here 1" in log(run, "worker:1")
    assert not remains(run.spec.id, run)


def test_a_run_that_finds_no_room_says_why_and_can_be_stopped(launch, write, capsys):
    write("main.py", STAY)
    run = launch("main.py", 2, ["60"], threads=64, name="large")
    assert run.state.status == "pending"
    assert main(["status", "large"]) == 0
    assert "Ray cannot place the 2 tasks yet (INFEASIBLE)" in capsys.readouterr().out
    assert run.stop("enough").reason == "enough"


def test_what_cannot_be_is_said_and_leaves_nothing(launch, write, monkeypatch, work):
    write("main.py", STAY)
    with pytest.raises(LaunchFailed, match="cannot start /nowhere/python"):
        launch("main.py", 2, python="/nowhere/python")
    with pytest.raises(LaunchFailed, match=r"No Ray cluster answers at 127.0.0.1:1\."):
        launch("main.py", 2, env={"RAY_ADDRESS": "127.0.0.1:1"})
    assert not list((work / ".mwtutor" / "runs").iterdir())


def test_a_run_ends_with_whoever_launched_it(address, work, write):
    write("main.py", STAY)
    code = "import mwtutor, time; print(mwtutor.launch('main.py', 2, ['60'], on='ray').directory,"
    code += " flush=True); time.sleep(60)"
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, text=True)
    run = Run.open(Path(process.stdout.readline().strip()))
    until_all_run(run, 2)
    process.kill()
    assert run.wait(60, check=False).reason == "it ended with the process that launched it"
    nothing_is_left(run)

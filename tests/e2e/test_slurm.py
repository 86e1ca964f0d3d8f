"""A real Slurm of two nodes on this machine: ``make test-extra WHAT=slurm``."""

from __future__ import annotations

import json
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

import mwtutor
from mwtutor.cli import main
from mwtutor.exceptions import LaunchFailed, NotSupported, RunFailed
from mwtutor.run.run import Run
from tests.e2e.test_targets import PROGRAM, QUIET, trained
from tests.support.clusters import slurm_cluster
from tests.support.programs import trainings

pytestmark = [pytest.mark.e2e, pytest.mark.slurm]

ROOT = Path(__file__).parents[2]

#: Reports its node, and keeps running.
STAY = """
import os, sys, time
print("on", os.environ["SLURMD_NODENAME"], os.environ["MWTUTOR_ATTEMPT"], flush=True)
time.sleep(float(sys.argv[1]))
"""


@pytest.fixture(scope="module")
def conf(tmp_path_factory):
    with slurm_cluster.running(tmp_path_factory.mktemp("slurm")) as conf:
        yield conf


@pytest.fixture
def slurm(conf, work, monkeypatch):
    """Slurm's commands find the cluster; afterwards, it has no job."""
    monkeypatch.setenv("SLURM_CONF", str(conf))
    monkeypatch.setenv("PYTHONPATH", str(ROOT))
    yield
    end = time.monotonic() + 30
    while going := _output("squeue", "--noheader", "--format=%i %T"):
        assert time.monotonic() < end, going
        time.sleep(0.2)


def _output(*words: str) -> str:
    return subprocess.run(words, capture_output=True, text=True, check=True).stdout


def until_all_run(run: Run, tasks: int) -> None:
    for state in run.watch(timeout=60):
        assert state.outcome is None, state.outcome
        if [task.status.value for task in state.tasks.values()] == ["running"] * tasks:
            return
    pytest.fail(f"not running after a minute: {run.state}")


def log(run: Run, task: str) -> str:
    return run.spec.log(run.task(task)).read_text()


def test_keras_3_trains_on_two_nodes(slurm, write):
    write("main.py", PROGRAM)
    run = mwtutor.launch("main.py", 3, on="slurm", env=QUIET)
    run.wait(240)
    assert trained([log(run, f"worker:{number}") for number in range(3)])[1] == "3"
    assert run.state.formed, "it was seen from the first node that all listen"
    assert run.history("loss"), "what tasks report comes through the shared directory"


def test_an_estimator_trains(slurm, write):
    write("main.py", trainings.ESTIMATOR)
    run = mwtutor.launch("main.py", 2, on="slurm", env=QUIET)
    run.wait(240)
    *_, weight = trained([log(run, "worker:0"), log(run, "worker:1")])
    assert float(weight) == pytest.approx(trainings.ESTIMATOR_ENDS)


def test_a_chief_trains_with_a_parameter_server(slurm, write):
    write("main.py", trainings.SERVERS)
    run = mwtutor.launch("main.py", 1, on="slurm", chief=True, ps=1, env=QUIET)
    run.wait(240)
    *_, weight = trained([log(run, "chief:0")])
    assert float(weight) == pytest.approx(trainings.SERVERS_END)


def test_status_logs_stop(slurm, write, capsys):
    write("main.py", STAY)
    run = mwtutor.launch("main.py", 3, ["60"], on="slurm", name="demo")
    until_all_run(run, 3)
    assert main(["status", "demo"]) == 0
    assert "demo: running" in capsys.readouterr().out
    for state in run.watch(timeout=30):
        if all("on n" in log(run, str(task)) for task in state.tasks):
            break
    assert main(["logs", "worker:2", "--name", "demo"]) == 0
    assert "on n2 1" in capsys.readouterr().out
    assert main(["stop", "demo"]) == 0
    assert Run.open(run.directory).outcome.reason == "it was stopped from a terminal"


def test_a_killed_task_is_explained_and_ends_the_others(slurm, write):
    write("main.py", STAY)
    run = mwtutor.launch("main.py", 3, ["60"], on="slurm")
    until_all_run(run, 3)
    run.kill("worker:1")
    with pytest.raises(RunFailed, match=r"worker:1 was killed by signal 9 \(SIGKILL\)"):
        run.wait(60)
    statuses = [task.status.value for task in run.tasks.values()]
    assert statuses == ["stopped", "failed", "stopped"]


def test_a_failed_cluster_is_restarted_as_a_whole(slurm, write):
    write("main.py", STAY + """
if os.environ["MWTUTOR_ATTEMPT"] == "1" and '"index": 1' in os.environ["TF_CONFIG"]:
    raise ValueError("the first time")
""")  # fmt: skip
    run = mwtutor.launch("main.py", 2, ["0.5"], on="slurm", restarts=1)
    assert run.wait(90).ok
    assert run.attempts[0].reason.endswith("raised ValueError: the first time (main.py, line 7)")
    assert "on n1 2" in log(run, "worker:0")


def test_a_job_that_slurm_ends(slurm, write):
    write("main.py", STAY)
    run = mwtutor.launch("main.py", 2, ["60"], on="slurm")
    until_all_run(run, 2)
    job = json.loads((run.directory / "slurm.json").read_text())["job"]
    _output("scancel", job)
    outcome = run.wait(60, check=False)
    assert not outcome.ok
    assert "Slurm" in outcome.reason


def test_a_job_that_waits_says_why_and_can_be_stopped(slurm, write, capsys):
    write("main.py", STAY)
    first = mwtutor.launch("main.py", 4, ["60"], on="slurm", name="first")
    until_all_run(first, 4)
    second = mwtutor.launch("main.py", 2, ["60"], on="slurm", name="second")
    for state in second.watch(timeout=30):
        if "Resources" in state.pending or "Priority" in state.pending:
            break
    assert state.status == "pending"
    assert main(["status", "second"]) == 0
    assert "has not started: " in capsys.readouterr().out
    assert second.stop("enough").reason == "enough"
    first.stop()


def test_what_cannot_be_is_said(slurm, write):
    write("main.py", STAY)
    with pytest.raises(LaunchFailed, match=r"refused the job: .*[Ii]nvalid partition"):
        mwtutor.launch("main.py", 2, on="slurm", env={"SBATCH_PARTITION": "nowhere"})
    run = mwtutor.launch("main.py", 2, on="slurm", python="/nowhere/python")
    outcome = run.wait(60, check=False)
    assert outcome.status == "lost"
    assert "cannot start /nowhere/python. Name an interpreter that every node has" in outcome.reason
    run = mwtutor.launch("main.py", 2, on="slurm", env={"SBATCH_OUTPUT": "/nowhere/log"})
    assert "its output could not be opened: is " in run.wait(60, check=False).reason
    running = mwtutor.launch("main.py", 2, ["60"], on="slurm", name="alive")
    until_all_run(running, 2)
    with pytest.raises(NotSupported, match="The slurm engine cannot show stacks"):
        running.stacks("worker:0")
    running.stop()


def test_an_exported_script_is_accepted_restarts_and_ends_as_its_program(
    slurm, write, work, capsys
):
    write("main.py", """
import os, sys
attempt = os.environ["MWTUTOR_ATTEMPT"]
print("attempt", attempt, os.environ["TF_CONFIG"], flush=True)
sys.exit(0 if attempt == "2" else 3)
""")  # fmt: skip
    words = ("--chief", "--restarts", "1", "--python", sys.executable, "--timeout", "60")
    assert main(["export", "2", "main.py", "--to", "slurm", *words]) == 0
    script = write("main.sbatch", capsys.readouterr().out)
    subprocess.run(["sbatch", "--test-only", script], check=True)
    done = subprocess.run(["sbatch", "--wait", f"--output={work}/out", script])
    printed = (work / "out").read_text()
    assert done.returncode == 0, printed
    assert printed.count("attempt 2 {") == 3
    assert "attempt 1 {" in printed
    assert '"type": "chief"' in printed
    assert "chief:0 of 3 tasks, by Slurm's step" in printed


def test_a_job_outlives_who_submitted_it(slurm, write):
    write("main.py", STAY)
    code = "import mwtutor; print(mwtutor.launch('main.py', 2, ['2'], on='slurm').directory)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True)
    found = Run.open(Path(done.stdout.strip()))
    assert found.wait(60).ok


def test_an_interrupted_terminal_ends_its_job(slurm, write, work):
    write("main.py", STAY)
    words = [sys.executable, "-m", "mwtutor", "launch", "2", "main.py", "--on", "slurm", "--", "60"]
    process = subprocess.Popen(words, stdout=subprocess.PIPE, text=True)
    timer = threading.Timer(90, process.kill)
    timer.start()
    try:
        assert any("worker:1 running" in line for line in process.stdout)
        process.send_signal(2)
        assert process.wait(60) == 130
    finally:
        timer.cancel()
    (directory,) = (work / ".mwtutor" / "runs").iterdir()
    assert Run.open(directory).outcome.reason == "it was interrupted"

"""Runs that lose their launcher, their directory or their supervisor while they are running."""

from __future__ import annotations

import contextlib
import shutil
import subprocess
import sys
from pathlib import Path

import psutil
import pytest

import mwtutor
from mwtutor.exceptions import NoRun
from mwtutor.find_runs import find
from mwtutor.launcher import clean
from mwtutor.run import control
from mwtutor.run.engine import engine
from tests.conftest import remains
from tests.support.runs.directories import from_another_pid_namespace
from tests.support.waiting import until, until_ended

pytestmark = pytest.mark.e2e

MWTUTOR = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]
FOREVER = "import time; print('on'); time.sleep(600)"


def launched(name: str) -> bool:
    return any(Path(".mwtutor/runs").glob(f"*-{name}/run.json"))


@pytest.mark.full
def test_a_launcher_killed_while_it_starts_leaves_no_ghost(write):
    write("main.py", FOREVER)
    with subprocess.Popen([*MWTUTOR, "launch", "2", "main.py", "--name", "ghost"]) as process:
        until(lambda: launched("ghost"))
        process.kill()
    run = find("ghost")
    until(lambda: run.outcome is not None)
    assert run.outcome.status == "lost"
    assert "the process that launched it died" in run.outcome.reason
    assert clean() >= 1
    assert not run.directory.exists()
    assert not remains(run.spec.id)


@pytest.mark.full
def test_a_launch_in_a_terminal_whose_directory_is_removed_knows_how_it_ended(write):
    write("main.py", "import time; time.sleep(2)")
    words = ["launch", "2", "main.py", "--cold"]
    with subprocess.Popen(
        [*MWTUTOR, *words], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
    ) as process:
        running = {process.stdout.readline() for _ in range(2)}
        while len([line for line in running if "running" in line]) < 2:
            running.add(process.stdout.readline())
        shutil.rmtree(".mwtutor")
        shown, errors = process.communicate(timeout=30)
    assert "main: succeeded" in shown
    assert errors == ""
    assert process.returncode == 0


@pytest.mark.full
def test_a_run_that_another_terminal_cleans_away_has_succeeded_for_its_owner(launch, write):
    write("main.py", "")
    run = launch("main.py", 1, name="short")
    until(lambda: not engine("local").holds(run.spec))
    subprocess.run([*MWTUTOR, "runs", "--clean"], check=True, capture_output=True, timeout=60)
    assert not run.directory.exists()
    assert find("short") is run
    assert run.wait(60).status == "succeeded"


@pytest.mark.full
def test_a_run_of_ours_is_found_and_stopped_without_its_directory(launch, write):
    write("main.py", FOREVER)
    run = launch("main.py", 2, name="bare")
    until(lambda: run.state.status == "running")
    shutil.rmtree(".mwtutor")
    assert run in mwtutor.runs()
    assert find("bare") is run
    assert run.outcome is None
    with pytest.raises(NoRun, match="cannot be read"):
        run.tf_config("worker:0")
    assert run.stop("enough").reason == "enough"
    assert not remains(run.spec.id, run)
    with pytest.raises(NoRun):
        find("bare")


@pytest.mark.full
def test_the_end_of_a_run_without_its_directory_is_said_once(launch, write):
    write("main.py", "import time; time.sleep(1)")
    run = launch("main.py", 1, name="short")
    until(lambda: run.state.status == "running")
    shutil.rmtree(".mwtutor")
    until(lambda: not engine("local").holds(run.spec))
    assert find("short").outcome.ok
    with pytest.raises(NoRun):
        find("short")


@pytest.mark.full
def test_a_run_of_ours_is_stopped_where_the_present_directory_was_removed(launch, write, work):
    write("main.py", FOREVER)
    run = launch("main.py", 1, name="homeless")
    until(lambda: run.state.status == "running")
    shutil.rmtree(work)
    assert find("homeless").stop().status == "stopped"
    assert not remains(run.spec.id, run)


@pytest.mark.full
@pytest.mark.parametrize("verb", ["status", "runs", "launch 1 main.py", "stop --all"])
def test_a_terminal_whose_directory_was_removed_says_so(work, monkeypatch, verb):
    (work / "gone").mkdir()
    monkeypatch.chdir(work / "gone")
    (work / "gone").rmdir()
    done = subprocess.run([*MWTUTOR, *verb.split()], capture_output=True, text=True, timeout=60)
    assert done.returncode == 2
    first, second = done.stderr.splitlines()
    assert first == "mwtutor: The current directory has been removed."
    assert second.startswith("Change to an existing one")


#: Children of every kind: a plain one, one in a separate session, and one in a separate session
#: without mwtutor's variables and without a living ancestor in the task.
CHILDREN = """
    import subprocess, time
    subprocess.Popen(["sleep", "600"])
    subprocess.Popen(["sleep", "601"], start_new_session=True)
    subprocess.run(["sh", "-c", "setsid env -i sleep 602 &"])
    print("on", flush=True)
    time.sleep(600)
"""


@pytest.mark.parametrize("cold", [False, True])
def test_nothing_outlives_a_killed_supervisor_though_nobody_looks(launch, write, cold):
    write("main.py", CHILDREN)
    run = launch("main.py", 2, cold=cold)
    supervisor = psutil.Process(run.state.supervisor[0])
    until(lambda: _sleepers(supervisor) == 6)
    guard = supervisor.parent()
    left = [guard, *below(guard)]
    supervisor.kill()
    until_ended(left)
    assert not control.paths(run.spec)
    assert run.outcome.status == "lost"


#: Children that show their parent's environment, in the task's session and in a separate one.
FORKED = """
    import multiprocessing, os, time
    multiprocessing.get_context("fork").Process(target=time.sleep, args=(600,)).start()
    if os.fork() == 0:
        os.setsid()
        os.closerange(0, 256)
        time.sleep(600)
    print("on", flush=True)
    time.sleep(600)
"""


@pytest.mark.full
@pytest.mark.parametrize("cold", [False, True])
def test_what_tasks_forked_is_ended_by_a_look_after_guard_and_supervisor_were_killed(
    launch, write, cold
):
    write("main.py", FORKED)
    run = launch("main.py", 2, cold=cold)
    supervisor = psutil.Process(run.state.supervisor[0])
    until(lambda: sum(len(below(psutil.Process(task.pid))) for task in run.tasks.values()) == 4)
    left = below(supervisor)
    supervisor.parent().kill()
    supervisor.kill()
    try:
        until(lambda: not supervisor.is_running() or supervisor.status() == psutil.STATUS_ZOMBIE)
        assert run.wait(10, check=False).status == "lost"
        until_ended(left)
    finally:
        for process in left:
            with contextlib.suppress(psutil.NoSuchProcess):
                process.kill()


@pytest.mark.full
def test_a_run_goes_on_without_its_guard(launch, write):
    write("main.py", FOREVER)
    run = launch("main.py", 2)
    guard = psutil.Process(run.state.supervisor[0]).parent()
    assert "python" in guard.name() or "guard" in " ".join(guard.cmdline())
    guard.kill()
    assert run.stop().status == "stopped"


def below(process: psutil.Process) -> list[psutil.Process]:
    return process.children(recursive=True)


def _sleepers(process: psutil.Process) -> int:
    found = 0
    for child in below(process):
        with contextlib.suppress(psutil.NoSuchProcess):  # a shell has ended since
            found += child.name() == "sleep"
    return found


@pytest.mark.full
def test_a_run_goes_on_though_somebody_looks_from_a_container(launch, write):
    write("main.py", FOREVER)
    run = launch("main.py", 2)
    until(lambda: run.state.status == "running")
    assert "running" in from_another_pid_namespace(*MWTUTOR, "status")
    assert run.state.status == "running"
    psutil.Process(run.state.supervisor[0]).kill()
    until(lambda: "lost" in from_another_pid_namespace(*MWTUTOR, "runs"))
    assert run.outcome.status == "lost"

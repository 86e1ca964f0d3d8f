"""Runs that no process has open, from their directories alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

import psutil
import pytest

from mwtutor import launcher
from mwtutor.cluster import TaskId
from mwtutor.run.record.eventlog import EventReader
from mwtutor.run.record.events import TaskStarted
from mwtutor.run.record.spec import MARKER, RunSpec
from mwtutor.run.run import Run
from mwtutor.system import processes
from tests.support.runs.directories import a_run, dead, supervised_by
from tests.support.waiting import until_ended


@pytest.fixture
def spec(work: Path) -> RunSpec:
    return a_run()


def test_a_run_is_starting_as_long_as_its_launcher_lives(spec):
    assert Run.open(spec.directory).state.status == "starting"
    assert RunSpec.load(spec.path) == spec


def test_a_run_whose_launcher_died_is_lost_at_once(spec):
    data = {**spec.to_json(), "launcher": list(dead())}
    RunSpec.from_json(data).save()
    run = Run.open(spec.directory)
    assert run.outcome.status == "lost"
    reason = "it never started, because the process that launched it died"
    assert run.outcome.reason == reason
    assert not spec.events.exists(), "looking changes nothing"
    assert repr(run) == f"<Run {run.name}: lost>"
    said = f"{run.name} is lost: {reason}. mwtutor removed what it left behind."
    assert (run.recover(), run.recover()) == (said, "")
    assert EventReader(spec.events).read()[-1]["status"] == "lost", "and it is written down"
    assert launcher.clean() >= 1, "this one, and those of other tests in this process"
    assert not spec.path.exists()


def test_a_run_that_has_a_supervisor_needs_no_launcher(spec):
    RunSpec.from_json({**spec.to_json(), "launcher": list(dead())}).save()
    supervised_by(spec, *spec.launcher)
    assert Run.open(spec.directory).outcome is None


def test_what_is_marked_ends_with_a_supervisor(spec):
    supervised_by(spec, *dead())
    env = {**os.environ, MARKER: spec.id}
    with subprocess.Popen(["sleep", "60"], env=env, start_new_session=True) as left:
        run = Run.open(spec.directory)
        assert run.outcome.reason == "its supervisor died, and its tasks with it"
        assert left.poll() is None, "looking changes nothing"
        run.recover()
        assert left.wait(5) == -9


#: Forks a child that its environment does not reveal, like those of a warm task.
FORKS = "import os, time; os.setsid(); os.fork() or (os.setsid(), os.fork()); time.sleep(60)"


def test_what_writes_into_a_log_of_the_run_ends_with_a_supervisor(spec):
    with open(spec.path / "logs" / "worker-0.log", "ab") as log:
        left = subprocess.Popen([sys.executable, "-c", FORKS], stdout=log, start_new_session=False)
    below = psutil.Process(left.pid)
    while len(processes_left := [below, *below.children(recursive=True)]) < 3:
        time.sleep(0.01)
    supervised_by(spec, *dead())
    assert Run.open(spec.directory).wait(check=False).status == "lost"
    assert left.wait(5) == -9
    until_ended(processes_left)


def test_a_process_that_only_the_log_names_is_left_alone(spec):
    """A pid may be reused, and a log may contain anything."""
    with subprocess.Popen(["sleep", "60"], start_new_session=True) as bystander:
        born = processes.started_at(bystander.pid)
        task = TaskStarted(TaskId("worker", 0), 1, bystander.pid, born)
        supervised_by(spec, *dead(), task)
        assert Run.open(spec.directory).wait(check=False).status == "lost"
        assert bystander.poll() is None
        bystander.kill()


@pytest.mark.parametrize("begun", [False, True])
def test_a_run_whose_directory_was_removed_says_so(spec, begun):
    if begun:
        supervised_by(spec, *dead())
    run = Run.open(spec.directory)
    run._live._read()
    shutil.rmtree(spec.directory)
    env = {**os.environ, MARKER: spec.id}
    with subprocess.Popen(["sleep", "60"], env=env, start_new_session=True) as left:
        assert run.stop().status == "lost"
        assert left.wait(5) == -9
    assert "its directory was removed" in run.outcome.reason
    assert not spec.path.exists()

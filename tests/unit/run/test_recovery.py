"""Runs that nobody has in hand any more, from their directories alone."""

from __future__ import annotations

import os
import shutil
import subprocess
import time
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.run.eventlog import EventReader, EventWriter
from mwtutor.run.run import Run
from mwtutor.run.spec import MARKER, RunSpec
from mwtutor.run.store import Store
from mwtutor.system import processes
from tests.specs import a_spec


@pytest.fixture
def spec(work: Path) -> RunSpec:
    """A run as it is before its supervisor has written anything, launched by this process."""
    directory = Store().new("main")
    me = (os.getpid(), processes.started_at(os.getpid()) or 0.0)
    spec = a_spec(directory, id=directory.name, cwd=str(work), created=time.time(), launcher=me)
    spec.save()
    return spec


def supervised_by(spec: RunSpec, pid: int, started: float) -> None:
    writer = EventWriter(spec.events)
    cluster = {"worker": ["h:1"]}
    writer.append({"t": 1.0, "event": "run_started", "pid": pid, "started": started,
                   "control": "", "cluster": cluster})  # fmt: skip
    writer.close()


def dead() -> tuple[int, float]:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        return process.pid, processes.started_at(process.pid) or 0.0


def test_a_run_is_starting_as_long_as_its_launcher_lives(spec):
    assert Run.open(spec.directory).state.status == "starting"
    assert RunSpec.load(spec.path) == spec


def test_a_run_whose_launcher_died_is_lost_at_once(spec, monkeypatch):
    monkeypatch.setattr(launcher, "_launched", [])
    data = {**spec.to_json(), "launcher": list(dead())}
    RunSpec.from_json(data).save()
    run = Run.open(spec.directory)
    assert run.outcome.status == "lost"
    assert run.outcome.reason == "it never started, because the process that launched it died"
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
        assert Run.open(spec.directory).outcome.reason == (
            "its supervisor died, and took the tasks along"
        )
        assert left.wait(5) == -9


@pytest.mark.parametrize("begun", [False, True])
def test_a_run_whose_directory_was_removed_says_so(spec, begun):
    if begun:
        supervised_by(spec, *dead())
    run = Run.open(spec.directory)
    run._read()
    shutil.rmtree(spec.directory)
    env = {**os.environ, MARKER: spec.id}
    with subprocess.Popen(["sleep", "60"], env=env, start_new_session=True) as left:
        assert run.stop().status == "lost"
        assert left.wait(5) == -9
    assert "its directory was removed" in run.outcome.reason
    assert not spec.path.exists()

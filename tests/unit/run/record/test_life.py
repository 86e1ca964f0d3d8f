"""Whether a run is running, seen from outside, from a container, and after the clock was set."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest

from mwtutor.run.record import life
from mwtutor.run.record.life import Life
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.run import Run
from mwtutor.system import mounts, processes
from mwtutor.system.pidspace import PidSpace
from tests.support.runs.directories import a_run, dead, from_another_pid_namespace, supervised_by

#: Holds the lock as a supervisor does, reports that, and forks as a supervisor does.
HOLDS = """
import os, sys, time
from pathlib import Path
from mwtutor.run.record import life
from mwtutor.run.record.spec import RunSpec
life.hold(RunSpec.load(Path(sys.argv[1])))
child = os.fork()
if child:
    print(child, flush=True)
time.sleep(600)
"""

LOOKS = """
import sys
from mwtutor.run.run import Run
run = Run.open(sys.argv[1])
print(run.state.status, run.outcome)
"""


@pytest.fixture
def spec(work: Path) -> RunSpec:
    return a_run()


@contextmanager
def supervisor(spec: RunSpec) -> Iterator[subprocess.Popen[str]]:
    """A living supervisor, and a child that may outlive it."""
    with subprocess.Popen(
        [sys.executable, "-c", HOLDS, str(spec.path)], stdout=subprocess.PIPE, text=True
    ) as process:
        child = int(process.stdout.readline())
        try:
            yield process
        finally:
            os.kill(child, 9)
            process.kill()


def in_another(spec: RunSpec, **other: str) -> RunSpec:
    """The run, as if it had been launched elsewhere."""
    moved = replace(spec, space=replace(spec.space, **other))
    moved.save()
    return moved


def test_the_lock_is_dropped_with_its_supervisor_and_not_with_its_children(spec):
    with supervisor(spec) as process:
        assert life.look(spec) == Life(True, process.pid)
        process.kill()
        process.wait()
        assert life.look(spec) == Life(False)


def test_a_run_lives_seen_from_a_container_and_is_not_touched(spec):
    with supervisor(spec) as process:
        # The log names pids that are not valid there.
        born = processes.started_at(process.pid) or 0
        lock = spec.lock.read_text()
        supervised_by(spec, process.pid, born)
        spec.lock.write_text(lock)
        before = spec.events.read_bytes()
        look = [sys.executable, "-c", LOOKS, str(spec.path)]
        # An earlier version found no such pid and wrote "lost", and the owner closed the run.
        assert from_another_pid_namespace(*look) == "starting None\n"
        assert spec.events.read_bytes() == before
        process.kill()
        process.wait()
        assert from_another_pid_namespace(*look).startswith("lost ")


def test_a_run_that_is_being_launched_cannot_be_judged_from_a_container(spec):
    assert Run.open(spec.path).state.status == "starting"
    look = [sys.executable, "-c", LOOKS, str(spec.path)]
    assert from_another_pid_namespace(*look) == "unknown None\n"
    assert not spec.events.exists()


def test_the_start_of_a_process_is_no_time_of_day(monkeypatch):
    """psutil's start time is the boot time plus ticks, and the boot time changes with the clock."""
    import psutil

    me = os.getpid()
    before = processes.started_at(me)
    monkeypatch.setattr(psutil.Process, "create_time", lambda process: 12345.0)
    assert processes.started_at(me) == before
    ticks = int(Path("/proc/self/stat").read_text().rsplit(")", 1)[1].split()[19])
    assert before == ticks
    assert processes.alive(me, ticks)
    assert not processes.alive(me, ticks + 1)


def test_a_process_whose_name_looks_like_its_figures_is_read_right():
    with subprocess.Popen(
        [sys.executable, "-c", "open('/proc/self/comm', 'w').write(') Z 1 1'); input()"],
        stdin=subprocess.PIPE,
    ) as process:
        while ") Z" not in Path(f"/proc/{process.pid}/comm").read_text():
            assert process.poll() is None
        assert processes.alive(process.pid, processes.started_at(process.pid) or 0)
        process.communicate(b"\n")
    assert processes.started_at(process.pid) is None


def test_what_another_machine_holds_cannot_be_told(spec, monkeypatch):
    supervised_by(spec, *dead())
    in_another(spec, boot="another", host="far\x1b[2Jaway")
    before = spec.events.read_bytes()
    monkeypatch.setattr(life, "is_local", lambda path: False)
    run = Run.open(spec.path)
    assert run.state.status == "unknown"
    assert "launched on faraway" in run.state.doubt
    assert not run.can_be_stopped
    with pytest.raises(Exception, match="cannot be reached from here"):
        run.stop()
    assert spec.events.read_bytes() == before


def test_a_run_did_not_survive_the_boot_before_this_one(spec, monkeypatch):
    supervised_by(spec, *dead())
    in_another(spec, boot="before")
    monkeypatch.setattr(life, "is_local", lambda path: True)
    assert Run.open(spec.path).outcome.status == "lost"


@pytest.mark.parametrize("damage", ["copied", "no locks"])
def test_a_lock_that_may_not_be_seen_from_here_proves_nothing(spec, damage):
    supervised_by(spec, *dead())
    held = json.loads(spec.lock.read_text())
    spec.lock.write_text(json.dumps({**held, "inode": [1, 1] if damage == "copied" else []}))
    elsewhere = in_another(spec, namespace="pid:[1]")
    assert life.look(elsewhere) == Life(None)
    assert life.look(spec) == Life(False), "in its own namespace a pid and its start prove it"


def test_a_supervisor_that_has_not_locked_yet_is_starting(spec):
    spec.lock.touch()
    assert life.look(spec) == Life(True)
    assert life.look(spec, launched=True) == Life(False)


def test_who_cannot_see_its_own_processes_claims_nothing(monkeypatch):
    here = PidSpace.here()
    assert here.shares_pids(PidSpace.here())
    assert not replace(here, namespace="").shares_pids(replace(here, namespace=""))
    assert not replace(here, boot="").shares_boot(replace(here, boot=""))


def test_file_systems_of_this_machine_alone(tmp_path):
    assert not mounts.is_local(Path("/proc/self"))
    kind = subprocess.run(["stat", "-f", "-c", "%T", "/tmp"], capture_output=True, text=True).stdout
    if kind.strip() in ("ext2/ext3", "xfs", "btrfs", "tmpfs", "overlayfs"):
        assert mounts.is_local(Path("/tmp"))

"""Run directories for tests: runs that were never started, and files that supervisors leave."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import time
from dataclasses import replace
from pathlib import Path

import pytest

from mwtutor.cluster import ClusterSpec
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import Event, RunStarted
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import Store
from mwtutor.system import processes
from mwtutor.system.pidspace import PidSpace
from tests.support.runs.specs import a_spec


def a_run(name: str = "main") -> RunSpec:
    """A run before its supervisor has written anything, launched by this process."""
    directory = Store().new(name)
    me = (os.getpid(), processes.started_at(os.getpid()) or 0)
    spec = a_spec(
        directory,
        id=directory.name,
        name=name,
        cwd=str(Path.cwd()),
        created=time.time(),
        launcher=me,
        space=PidSpace.here(),
        inode=directory.stat().st_ino,
    )
    spec.save()
    return spec


def supervised_by(spec: RunSpec, pid: int, born: int, *then: Event) -> None:
    """Write what a dead supervisor leaves: its log, and its lock without a holder."""
    writer = EventWriter(spec.events)
    for event in (RunStarted(ClusterSpec(worker=("h:1",)), pid, born), *then):
        writer.append(replace(event, t=1.0))
    writer.close()
    if spec.path.is_dir():
        spec.lock.touch(mode=0o600)
        seen = spec.lock.stat()
        inode = [seen.st_dev, seen.st_ino]
        spec.lock.write_text(json.dumps({"pid": pid, "born": born, "inode": inode}))


def dead() -> tuple[int, int]:
    with subprocess.Popen(["cat"], stdin=subprocess.PIPE) as process:
        return process.pid, processes.started_at(process.pid) or 0


def from_another_pid_namespace(*words: str) -> str:
    """The output of a command in a container; skip the test where that is impossible."""
    unshare = ["unshare", "--pid", "--fork", "--mount-proc"]
    unshare += ["--map-root-user"] * bool(os.getuid())
    if (
        shutil.which("unshare") is None
        or subprocess.run([*unshare, "true"], check=False).returncode
    ):
        pytest.skip("the system allows no PID namespace")
    done = subprocess.run([*unshare, *words], capture_output=True, text=True, timeout=60)
    assert not done.stderr or done.stderr.endswith("mwtutor removed what it left behind.\n")
    return done.stdout

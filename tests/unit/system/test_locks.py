"""Locks are exclusive; a process that waits for a lock reports that, and does not wait forever."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from mwtutor.exceptions import BadInput
from mwtutor.exercises import guidance, records
from mwtutor.run.record.store import Store
from mwtutor.system import locks
from tests.support.machines.users import as_user, open_to_all

HOLDS = """
import fcntl, sys, time
file = open(sys.argv[1], "ab")
fcntl.flock(file, fcntl.LOCK_EX)
print("held", flush=True)
time.sleep(600)
"""


@contextmanager
def holding(path: Path) -> Iterator[int]:
    """The pid of another process that holds the lock on a file."""
    with subprocess.Popen([sys.executable, "-c", HOLDS, str(path)], stdout=subprocess.PIPE) as one:
        one.stdout.readline()
        yield one.pid
        one.kill()


@pytest.mark.parametrize("umask", [0o000, 0o022])
def test_only_their_owner_can_hold_them_whatever_the_umask(work, umask):
    (work / ".mwtutor").mkdir()
    (work / ".mwtutor" / "locks").mkdir(mode=0o755)  # from elsewhere, perhaps
    before = os.umask(umask)
    try:
        with Store().claim("main"):
            pass
    finally:
        os.umask(before)
    assert (work / ".mwtutor" / "locks").stat().st_mode & 0o077 == 0
    assert (work / ".mwtutor" / "locks" / "main").stat().st_mode & 0o077 == 0
    if os.getuid() == 0:
        open_to_all(work)

        def lock() -> int:
            with pytest.raises(PermissionError):
                os.open(work / ".mwtutor" / "locks" / "main", os.O_RDONLY)
            return 0

        done = as_user(lock)
        assert done.code == 0, done.stderr


def test_a_lock_of_an_earlier_version_holds_nobody_up(work):
    with Store().claim("main"):
        pass
    old = work / ".mwtutor" / "main.lock"
    old.touch(0o644)
    with holding(old), Store().claim("main", 0.0):
        pass


def test_who_waits_says_for_whom_and_gives_up(work, capsys):
    with Store().claim("main"):
        pass
    place = work / ".mwtutor" / "locks" / "main"
    with holding(place) as pid:
        with pytest.raises(BadInput) as error, Store().claim("main", locks._SILENT + 0.2):
            pass
        assert f"({pid}: " in error.value.problem
        assert f"kill {pid}" in error.value.remedy
        waiting = capsys.readouterr().err
        assert waiting.startswith(f"Waiting for another process ({pid}: ")
        assert waiting.count("\n") == 1
    with Store().claim("main", 0.0):
        assert not capsys.readouterr().err


def test_a_hint_waits_for_no_lock_for_ever(work, monkeypatch):
    monkeypatch.setattr(records, "_PATIENCE", 0.1)
    guidance.hint("03-1")
    with holding(work / ".mwtutor" / "locks" / ".progress") as pid:
        found = guidance.hint("03-1")
    assert found.note.startswith("Your progress is not stored.")
    assert str(pid) in found.note
    assert found.shown, "it is shown all the same"

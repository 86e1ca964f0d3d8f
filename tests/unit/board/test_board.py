"""TensorBoard: who can see it, what it shows during a run, and when it ends."""

from __future__ import annotations

import contextlib
import json
import os
import signal
import subprocess
import sys
import textwrap
import threading
import urllib.error
import urllib.request
from pathlib import Path

import psutil
import pytest

pytest.importorskip("tensorboard")

import mwtutor
from mwtutor.board import board as boards
from mwtutor.exceptions import BadInput, NotSupported
from mwtutor.run.run import Run
from mwtutor.system.runtime_dir import runtime_dir
from tests.support.runs.specs import a_spec
from tests.support.waiting import until
from tests.unit.board.test_files import progress, say


@pytest.fixture
def run(work: Path) -> Run:
    directory = work / ".mwtutor" / "runs" / "20260101-000000-000-main"
    directory.mkdir(parents=True)
    spec = a_spec(directory, id=directory.name, cwd=str(work))
    spec.save()
    jobs = {"worker": ["localhost:1", "localhost:2"]}
    say(
        directory,
        {"event": "run_started", "cluster": jobs, "pid": 0},
        {"event": "task_started", "task": "worker:0", "pid": 0},
        {"event": "run_ended", "status": "succeeded", "reason": ""},
        progress("worker:0", 1, loss=0.5),
    )
    return Run.open(directory)


def ask(address: str, path: str) -> object:
    with urllib.request.urlopen(address + path, timeout=20) as answer:
        return json.load(answer)


def trees() -> set[Path]:
    return set(runtime_dir().glob("tb-*"))


def test_it_shows_what_comes_to_whoever_knows_its_address(run, work):
    before, heavy = trees(), {"tensorboard", "tensorflow"} & set(sys.modules)
    board = mwtutor.tensorboard("main")
    try:
        assert mwtutor.tensorboard(run) is board, "one is enough"
        assert "main: the history of worker:0" in repr(board)
        assert f'<iframe src="{board.address}"' in board._repr_html_()
        until(lambda: ask(board.address, "data/runs") == ["main/worker-0"])
        say(run.directory, progress("worker:1", 1, loss=0.5))
        until(lambda: "main/worker-1" in ask(board.address, "data/runs"))
        with pytest.raises(urllib.error.HTTPError, match="404"):
            ask(board.address[: board.address.index("/", 8) + 1], "data/runs")
        process = psutil.Process(board._process.pid)
        listening = [c.laddr.ip for c in process.net_connections() if c.status == "LISTEN"]
        assert listening == ["127.0.0.1"]
        assert board._prefix not in " ".join(process.cmdline())
        assert {"tensorboard", "tensorflow"} & set(sys.modules) == heavy
    finally:
        assert boards.close_all() == 1
    assert not board.alive
    assert trees() <= before


def test_it_ends_with_a_process_that_is_killed(run, work):
    before = trees()
    owner = subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(KILLED)], cwd=work, stdout=subprocess.PIPE, text=True
    )
    pid, child, modules = owner.stdout.readline().split(" ", 2)
    assert modules.strip() == "[]", "the kernel needs neither of them"
    owner.send_signal(signal.SIGKILL)
    owner.wait()
    until(lambda: not psutil.pid_exists(int(pid)))
    os.kill(int(child), signal.SIGKILL)
    assert trees() <= before


#: Opens a board from a thread that ends, leaves a fork of itself, and waits to be killed.
KILLED = """
    import os, signal, sys, threading
    import mwtutor
    thread = threading.Thread(target=mwtutor.tensorboard)
    thread.start()
    thread.join()
    board = mwtutor.tensorboard()
    assert board.alive, "it ended with the thread"
    child = os.fork()
    if child == 0:
        sys.stdout = None
        signal.pause()
    imported = [name for name in sys.modules if name in ("tensorflow", "tensorboard")]
    print(board._process.pid, child, imported, flush=True)
    signal.pause()
"""


def test_what_one_that_was_killed_leaves_is_removed_by_the_next(run, work):
    first = mwtutor.tensorboard()
    (left,) = trees()
    os.kill(first._process.pid, signal.SIGKILL)
    first._process.wait()
    assert left.exists()
    try:
        assert mwtutor.tensorboard() is not first, "it is dead"
        assert not left.exists()
    finally:
        boards.close_all()


def test_one_that_is_halted_is_replaced_and_its_end_keeps_nobody_waiting(run, work):
    first = mwtutor.tensorboard()
    os.kill(first._process.pid, signal.SIGSTOP)
    until(lambda: first.halted)
    second = mwtutor.tensorboard()
    try:
        assert second is not first
        assert not first.alive
        assert ask(second.address, "data/runs") is not None
        os.kill(second._process.pid, signal.SIGSTOP)
        until(lambda: second.halted)
        before = trees()
    finally:
        ending = threading.Thread(target=boards.close_all, daemon=True)
        ending.start()
        ending.join(30)
    assert not ending.is_alive()
    assert not trees() & before, "it has removed its files"


def test_proxies_are_asked_for(run, work, monkeypatch):
    board = mwtutor.tensorboard()
    try:
        port, prefix = board._port, board._prefix
        monkeypatch.setenv("JUPYTERHUB_SERVICE_PREFIX", "/user/me/")
        assert board.frame_address == f"/user/me/proxy/{port}/{prefix}/"
        monkeypatch.setenv("TENSORBOARD_PROXY_URL", "/elsewhere/%PORT%/")
        assert board.frame_address == f"/elsewhere/{port}/{prefix}/"
    finally:
        boards.close_all()


def test_what_cannot_be_shown_is_said(run, work, monkeypatch):
    with pytest.raises(BadInput, match="7 is not a run"):
        mwtutor.tensorboard(7)
    monkeypatch.setattr(boards.importlib.util, "find_spec", lambda name: None)
    with pytest.raises(NotSupported) as raised:
        mwtutor.tensorboard()
    assert "pip install tensorboard" in raised.value.remedy


def test_where_a_foreign_run_says_that_its_files_are_nothing_is_opened(run, work):
    name = f"events.out.tfevents.{run.state.started + 1:.0f}.a-host"
    (work / name).write_bytes(b"")
    assert run.is_foreign, "it is not where it was made"
    with contextlib.closing(mwtutor.tensorboard(run)) as board:
        found = board.found["main"]
        assert (found.histories, found.directories, found.looked) == (("worker:0",), (), False)
        assert "the run is read-only" in repr(board)
        assert not list(runtime_dir().glob("tb-*/runs/main/program"))

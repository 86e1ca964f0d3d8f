"""The socket on which a supervisor receives commands."""

from __future__ import annotations

import os
import select
import socket
import tempfile
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.exceptions import NoRun
from mwtutor.run import control
from mwtutor.run.record.spec import RunSpec
from tests.support.runs.specs import a_spec


def a_run(directory: Path) -> RunSpec:
    return a_spec(directory, inode=directory.stat().st_ino)


@pytest.fixture
def run(tmp_path: Path) -> Iterator[RunSpec]:
    """A run whose supervisor answers each command with its name."""
    run = a_run(tmp_path)
    path = control.new_path(run)
    server = control.ControlServer(control.listen(path), lambda order: {"got": order["verb"]})
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            if select.select([server], [], [], 0.05)[0]:
                server.serve()

    serving = threading.Thread(target=serve)
    serving.start()
    assert control.paths(run) == [path]
    yield run
    over.set()
    serving.join()
    server.close()
    assert not path.exists()
    with pytest.raises(NoRun, match="accepts no commands"):
        control.order(run, verb="test")


def connected(run: RunSpec) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(control.new_path(run)))
    return client


def test_orders_are_answered_and_rubbish_is_survived(run):
    assert control.new_path(run).stat().st_mode & 0o077 == 0
    for rubbish in (b"\xff not json", b"[1]", b"{}", b"[" * 60_000, b""):
        with connected(run) as rude:
            rude.sendall(rubbish)
        assert control.order(run, verb="test") == {"got": "test"}


def test_clients_that_say_nothing_hold_up_nobody_and_are_dropped(run, monkeypatch):
    monkeypatch.setattr(control, "_PATIENCE", 600.0)
    patient = [connected(run) for _ in range(12)]
    assert control.order(run, verb="stop") == {"got": "stop"}
    assert not select.select(patient, [], [], 0)[0], "none of them had to be dropped before"
    monkeypatch.setattr(control, "_PATIENCE", 0.2)
    silent = [connected(run) for _ in range(12)]
    deadline = time.monotonic() + 60
    for client in silent:
        while not select.select([client], [], [], 0.1)[0]:  # later callers do not notice
            assert time.monotonic() < deadline
            control.order(run, verb="test")
        assert client.recv(1) == b""
        client.close()


def test_an_order_may_come_in_pieces(run):
    with connected(run) as slow:
        slow.sendall(b'{"verb": "te')
        assert control.order(run, verb="test") == {"got": "test"}
        slow.sendall(b'st"}')
        assert slow.recv(100) == b'{"got": "test"}\n'


def test_a_socket_that_a_killed_supervisor_left_is_said(tmp_path):
    run = a_run(tmp_path)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(control.new_path(run)))
    with pytest.raises(NoRun, match="does not answer"):
        control.order(run, verb="test")
    [path] = control.paths(run)
    path.unlink()


def test_a_socket_is_found_from_a_terminal_with_another_temporary_directory(tmp_path, monkeypatch):
    """The socket is found only in a directory in which others cannot have put it."""
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    run = a_run(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    path = control.new_path(run)
    server = control.ControlServer(control.listen(path), dict)
    try:
        monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
        assert path in control.paths(run)
        theirs = tmp_path / f"mwtutor-{os.getuid()}"
        theirs.mkdir(mode=0o700)
        theirs.chmod(0o777)
        (theirs / path.name).touch()
        assert control.paths(run) == [path]
    finally:
        server.close()

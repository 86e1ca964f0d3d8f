"""The socket on which a supervisor takes orders."""

from __future__ import annotations

import os
import socket
import tempfile
import threading
from pathlib import Path

import pytest

from mwtutor.exceptions import NoRun
from mwtutor.run import control
from mwtutor.run.spec import RunSpec
from tests.specs import a_spec


def a_run(directory: Path) -> RunSpec:
    return a_spec(directory, inode=directory.stat().st_ino)


def test_orders_are_answered_and_rubbish_is_survived(tmp_path):
    run = a_run(tmp_path)
    path = control.new_path(run)
    server = control.ControlServer(path, lambda order: {"got": order["verb"]})
    assert path.stat().st_mode & 0o077 == 0

    with socket.socket(socket.AF_UNIX) as rude:
        rude.connect(str(path))
        rude.sendall(b"\xff not json")
        server.serve_one()
    answering = threading.Thread(target=lambda: _serve_when_asked(server))
    answering.start()
    assert control.paths(run) == [path]
    assert control.order(run, verb="ping") == {"got": "ping"}
    answering.join()
    server.close()
    assert not path.exists()
    with pytest.raises(NoRun, match="takes no orders"):
        control.order(run, verb="ping")


def test_a_socket_that_a_killed_supervisor_left_is_said(tmp_path):
    run = a_run(tmp_path)
    with socket.socket(socket.AF_UNIX) as left:
        left.bind(str(control.new_path(run)))
    with pytest.raises(NoRun, match="does not answer"):
        control.order(run, verb="ping")
    [path] = control.paths(run)
    path.unlink()


def test_a_socket_is_found_from_a_terminal_with_another_temporary_directory(tmp_path, monkeypatch):
    """Only where others cannot have put it."""
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    run = a_run(tmp_path)
    monkeypatch.setattr(tempfile, "tempdir", "/tmp")
    path = control.new_path(run)
    server = control.ControlServer(path, dict)
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


def _serve_when_asked(server: control.ControlServer) -> None:
    import select

    select.select([server], [], [], 10)
    server.serve_one()

"""The socket on which a supervisor takes orders."""

from __future__ import annotations

import socket
import threading

import pytest

from mwtutor.exceptions import NoRun
from mwtutor.run import control


def test_orders_are_answered_and_rubbish_is_survived(tmp_path):
    path = tmp_path / "c.sock"
    server = control.ControlServer(path, lambda order: {"got": order["verb"]})
    assert path.stat().st_mode & 0o077 == 0

    with socket.socket(socket.AF_UNIX) as rude:
        rude.connect(str(path))
        rude.sendall(b"\xff not json")
        server.serve_one()
    answering = threading.Thread(target=lambda: _serve_when_asked(server))
    answering.start()
    assert control.order(str(path), verb="ping") == {"got": "ping"}
    answering.join()
    server.close()
    assert not path.exists()
    with pytest.raises(NoRun, match="does not answer"):
        control.order(str(path), verb="ping")


def _serve_when_asked(server: control.ControlServer) -> None:
    import select

    select.select([server], [], [], 10)
    server.serve_one()

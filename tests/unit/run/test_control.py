"""The socket on which a supervisor takes orders."""

from __future__ import annotations

import select
import socket
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from mwtutor.exceptions import NoRun
from mwtutor.run import control


@pytest.fixture
def path(tmp_path: Path) -> Iterator[Path]:
    """Where orders are obeyed: by naming their verb."""
    path = tmp_path / "c.sock"
    server = control.ControlServer(control.listen(path), lambda order: {"got": order["verb"]})
    over = threading.Event()

    def serve() -> None:
        while not over.is_set():
            if select.select([server], [], [], 0.05)[0]:
                server.serve()

    serving = threading.Thread(target=serve)
    serving.start()
    yield path
    over.set()
    serving.join()
    server.close()
    assert not path.exists()
    with pytest.raises(NoRun, match="does not answer"):
        control.order(str(path), verb="ping")


def connected(path: Path) -> socket.socket:
    client = socket.socket(socket.AF_UNIX)
    client.connect(str(path))
    return client


def test_orders_are_answered_and_rubbish_is_survived(path):
    assert path.stat().st_mode & 0o077 == 0
    for rubbish in (b"\xff not json", b"[1]", b"{}", b"[" * 60_000, b""):
        with connected(path) as rude:
            rude.sendall(rubbish)
        assert control.order(str(path), verb="ping") == {"got": "ping"}


def test_clients_that_say_nothing_hold_up_nobody_and_are_dropped(path):
    silent = [connected(path) for _ in range(12)]
    before = time.monotonic()
    assert control.order(str(path), verb="stop") == {"got": "stop"}
    assert time.monotonic() - before < 0.5
    deadline = time.monotonic() + 10
    for client in silent:
        while not select.select([client], [], [], 0.1)[0]:  # whoever comes later finds them gone
            assert time.monotonic() < deadline
            control.order(str(path), verb="ping")
        assert client.recv(1) == b""
        client.close()


def test_an_order_may_come_in_pieces(path):
    with connected(path) as slow:
        slow.sendall(b'{"verb": "pi')
        assert control.order(str(path), verb="ping") == {"got": "ping"}
        slow.sendall(b'ng"}')
        assert slow.recv(100) == b'{"got": "ping"}\n'

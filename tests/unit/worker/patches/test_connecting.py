"""A task connects once the others listen, but does not wait for them forever."""

from __future__ import annotations

import socket
import threading

from mwtutor.system.ports import HeldPorts, listens
from mwtutor.worker.patches import connecting


def test_it_waits_until_all_listen(monkeypatch):
    monkeypatch.setattr(connecting, "PATIENCE", 60.0)
    with HeldPorts(1) as late, socket.create_server(("127.0.0.1", 0)) as there:
        early = f"127.0.0.1:{there.getsockname()[1]}"
        found: list[bool] = []
        waiting = threading.Thread(
            target=lambda: found.append(connecting.await_listening([early, *late.addresses]))
        )
        waiting.start()
        waiting.join(0.2)
        assert not found, "nobody listens at the second yet"
        late._sockets[0].listen()
        waiting.join(60.0)
        assert found == [True]


def test_it_does_not_wait_for_one_that_stays_away(monkeypatch):
    monkeypatch.setattr(connecting, "PATIENCE", 0.05)
    with HeldPorts(1) as nobody:
        assert connecting.await_listening(nobody.addresses) is False
        assert connecting.await_listening(["nowhere.invalid:2222"]) is False
    assert connecting.await_listening([]) is True
    assert not listens(nobody.addresses[0])

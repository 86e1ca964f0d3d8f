"""That a task serves is reported before it waits in ``join``, which never returns."""

from __future__ import annotations

from types import SimpleNamespace

from mwtutor import metrics
from mwtutor.worker.patches import serving


def test_it_is_reported_before_the_task_waits(monkeypatch):
    happened = []

    class Server:
        def join(self):
            """Waits forever."""
            happened.append(("join", self))
            return "never"

    monkeypatch.setattr(metrics, "send", lambda event, **fields: happened.append((event, fields)))
    module = SimpleNamespace(Server=Server)
    serving._announce_join(module)
    server = module.Server()
    assert server.join() == "never"
    assert happened == [("serving", {"wait": 1.0}), ("join", server)]
    assert Server.join.__doc__ == "Waits forever."

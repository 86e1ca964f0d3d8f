"""Report when a task starts to serve others, because nothing should wait for its end.

A parameter server, or a worker that only serves a chief, calls ``server.join()`` and stays there
forever: that is its normal work, not a failure.
"""

from __future__ import annotations

from types import ModuleType

from mwtutor import metrics
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before


def install() -> None:
    when_imported("tensorflow.python.training.server_lib", _announce_join)


def _announce_join(module: ModuleType) -> None:
    before(module.Server, "join", lambda server: metrics.send("serving", wait=1.0))

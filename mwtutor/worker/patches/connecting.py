"""Connect to the other tasks once they listen.

gRPC retries a refused connection only after a second. The tasks of a run start within hundredths of
a second of each other, so a task that connects immediately is often too early and loses that
second, and with collectives, all tasks lose that second. This module waits no longer than that
second; TensorFlow handles a peer that takes longer.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from mwtutor.system import ports
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import before

#: Seconds that a task waits here for all others together: as long as gRPC would.
PATIENCE = 1.0

#: Seconds between two checks.
_LOOK = 0.005


def install() -> None:
    when_imported("tensorflow.python.eager.context", _connect_later)


def await_listening(addresses: list[str]) -> bool:
    """Whether each ``host:port`` had a listener within the time limit."""
    until = time.monotonic() + PATIENCE
    for address in addresses:
        while not ports.listens(address, patience=max(_LOOK, until - time.monotonic())):
            if time.monotonic() > until:
                return False
            time.sleep(_LOOK)
    return True


def _connect_later(module: ModuleType) -> None:
    def await_leader(context: Any, server_def: Any) -> None:
        config = server_def.default_session_config.experimental.coordination_config
        await_listening([at for name, at in _others(server_def) if name == config.service_leader])

    def await_all(context: Any, server_def: Any, *args: Any, **kwargs: Any) -> None:
        await_listening([at for _, at in _others(server_def)])

    before(module.Context, "enable_collective_ops", await_leader)
    before(module.Context, "set_server_def", await_all)


def _others(server_def: Any) -> Iterator[tuple[str, str]]:
    """Each other task of the cluster: its device's name and its address."""
    own = (server_def.job_name, server_def.task_index)
    for job in server_def.cluster.job:
        for index, address in job.tasks.items():
            if (job.name, index) != own:
                yield f"/job:{job.name}/replica:0/task:{index}", address

"""A task that is a process of JAX: whether all have arrived and joined.

Only process 0 listens for the others, as JAX's coordinator. The others listen on their own
addresses from ``initialize()`` on, so that the supervisor sees which of them have not reached it.
"""

from __future__ import annotations

import os
import socket
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.cluster import parse_tf_config
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import after, before
from mwtutor.worker import ledger
from mwtutor.worker.horovod import listen

#: Sockets that show that this process has arrived; open as long as it lives.
_come: list[socket.socket] = []


def install() -> None:
    """Watch ``jax.distributed.initialize``, which Keras calls too, in a ``--with jax`` launch."""
    if "KERAS_DISTRIBUTION_PROCESS_ID" in os.environ:
        cluster, task = parse_tf_config(os.environ["TF_CONFIG"])
        own = cluster.address(task) if task.index else ""
        when_imported("jax._src.distributed", lambda module: _watch(module, own))


def _watch(module: ModuleType, own: str) -> None:
    """Wrap ``initialize``.

    Args:
        own: the address of this process; empty if it is the coordinator.
    """

    def come(state: Any, *args: Any, **kwargs: Any) -> None:
        if own and not _come:
            _come.append(listen(own))

    def report(state: Any, *args: Any, **kwargs: Any) -> None:
        metrics.send("joined", wait=1.0, workers=state.num_processes)
        ledger.leave_out("JAX")

    before(module.State, "initialize", come)
    after(module.State, "initialize", report)

"""A Ray cluster of two nodes, both on this machine."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

#: Processors that each node reports.
EACH = 2


@contextlib.contextmanager
def running(client_port: int = 0) -> Iterator[Any]:
    """A cluster to which nodes can be added; skip the test, with the reason, without Ray."""
    pytest.importorskip("ray", reason="no Ray here: python -m pip install 'mwtutor[ray]'")
    from ray.cluster_utils import Cluster

    head = {"num_cpus": EACH, "include_dashboard": False}
    if client_port:
        head["ray_client_server_port"] = client_port
    cluster = _started(Cluster, head)
    try:
        yield cluster
    finally:
        cluster.shutdown()


def _started(make: Any, head: dict[str, Any], attempts: int = 4) -> Any:
    """Try again if the node, on a busy machine, needs more than the 30 s that Ray allows."""
    for attempt in range(attempts):
        cluster = make()
        try:
            cluster.add_node(**head)
            return cluster
        except Exception as error:
            cluster.shutdown()
            if "timed out during startup" not in str(error) or attempt == attempts - 1:
                raise
    raise AssertionError


def kill(cluster: Any, node: Any) -> None:
    """Act like a machine that is switched off, as far as possible: SIGKILL its raylet."""
    cluster.remove_node(node, allow_graceful=False)

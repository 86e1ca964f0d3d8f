"""A Ray of two nodes, both of them this machine."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

#: Processors that each node says it has.
EACH = 2


@contextlib.contextmanager
def running(client_port: int = 0) -> Iterator[Any]:
    """A cluster whose nodes can be added and removed; skip, and say why, where there is no Ray."""
    pytest.importorskip("ray", reason="no Ray here: python -m pip install 'mwtutor[ray]'")
    from ray.cluster_utils import Cluster

    head = {"num_cpus": EACH, "include_dashboard": False}
    if client_port:
        head["ray_client_server_port"] = client_port
    cluster = Cluster(initialize_head=True, head_node_args=head)
    try:
        yield cluster
    finally:
        cluster.shutdown()


def kill(cluster: Any, node: Any) -> None:
    """As a machine that is switched off, as far as one can be here: SIGKILL for its raylet."""
    cluster.remove_node(node, allow_graceful=False)

"""The task's own place in the cluster, and the places that its program takes instead.

A program may replace ``TF_CONFIG``, or give its strategy or server other addresses. The result
is compared with the task's own place, and reported if it differs. A MirroredStrategy takes no place
in a cluster at all.

A task reports as soon as it listens at its place. Its supervisor also checks whether it listens,
which works for any program, but a short one can start and end between two checks.
"""

from __future__ import annotations

import functools
import os
from collections.abc import Mapping
from types import ModuleType
from typing import Any

from mwtutor import metrics
from mwtutor.cluster import ClusterSpec, TaskId, parse_tf_config
from mwtutor.exceptions import BadCluster
from mwtutor.system import processes
from mwtutor.system.importhook import when_imported
from mwtutor.system.wrapping import after, before

_given = ""


def install() -> None:
    """Remember the task's own place, and watch those of its strategies and servers."""
    global _given
    _given = os.environ.get("TF_CONFIG", "")
    when_imported("tensorflow.python.training.server_lib", _watch_servers)
    when_imported("tensorflow.python.distribute.collective_all_reduce_strategy", _watch_strategies)
    when_imported("tensorflow.python.distribute.mirrored_strategy", _watch_mirrored)


def has_company() -> bool:
    """Whether the task belongs to a cluster of several tasks."""
    given = _parsed()
    return given is not None and len(list(given[0].peers())) > 1


@functools.cache
def _parsed() -> tuple[ClusterSpec, TaskId] | None:
    try:
        return parse_tf_config(_given)
    except BadCluster:
        return None


def _watch_servers(module: ModuleType) -> None:
    def compare(server: Any, server_or_cluster_def: Any, *args: Any, **kwargs: Any) -> None:
        names = ("job_name", "task_index", "protocol", "config")
        bound = {**dict(zip(names, args, strict=False)), **kwargs}
        asked = [bound.get(name) for name in names]
        try:
            given = module._make_server_def(server_or_cluster_def, *asked)
        except (TypeError, ValueError):  # the server reports this itself
            return
        _compare(module.ClusterSpec(given.cluster).as_dict(), given.job_name, given.task_index)

    before(module.Server, "__init__", compare)
    after(module.Server, "__init__", lambda *_, **__: _report_listening())


def _watch_strategies(module: ModuleType) -> None:
    def compare(extended: Any, cluster_resolver: Any, *args: Any, **kwargs: Any) -> None:
        cluster = cluster_resolver.cluster_spec().as_dict()
        _compare(cluster, cluster_resolver.task_type, cluster_resolver.task_id)

    extended = module.CollectiveAllReduceExtended
    before(extended, "_initialize_multi_worker", compare)
    after(extended, "_initialize_multi_worker", lambda *_, **__: _report_listening())


def _watch_mirrored(module: ModuleType) -> None:
    for strategy in (module.MirroredStrategy, module.MirroredStrategyV1):
        before(strategy, "__init__", _report_mirrored)


def _report_mirrored(*args: Any, **kwargs: Any) -> None:
    if has_company():
        metrics.send("without_effect", wait=1.0, what="MirroredStrategy")


def _compare(cluster: Mapping[str, Any], kind: str | None, index: int | None) -> None:
    """Report the place if it is not the task's own."""
    given = _parsed()
    if given is None or kind is None or index is None:
        return
    address = _address(cluster, kind, index)
    known = address == given[0].address(given[1])
    if (kind, index) == (given[1].type, given[1].index) and known:
        return
    metrics.send(
        "place",
        wait=1.0,
        name=f"{kind}:{index}",
        address=address,
        tasks=sum(map(len, cluster.values())),
        changed=os.environ.get("TF_CONFIG", "") != _given,
    )


def _report_listening() -> None:
    given = _parsed()
    if given is None or given[1] not in given[0].peers():
        return
    port = given[0].address(given[1]).rpartition(":")[2]
    if processes.listens(os.getpid(), int(port)):
        metrics.send("listening", wait=1.0)


def _address(cluster: Mapping[str, Any], kind: str, index: int) -> str:
    tasks = cluster.get(kind, ())
    try:
        return str(tasks[index])
    except (LookupError, TypeError):
        return ""

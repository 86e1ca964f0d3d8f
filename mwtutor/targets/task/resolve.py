"""Wait until the host names of a cluster's tasks resolve.

Tasks of one cluster start minutes apart, and the name of a task that has not started does not
resolve. TensorFlow looks a name up when it first connects; if a name server caches the answer "no
such name", it takes some time until TensorFlow gets a different answer.
"""

from __future__ import annotations

import socket
import time
from collections.abc import Callable
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.exceptions import BadCluster

#: Seconds between two attempts, before the first report of missing names, and between reports.
_LOOK, _PATIENCE, _AGAIN = 1.0, 3.0, 60.0


def wait(
    cluster: ClusterSpec,
    timeout: float,
    say: Callable[[str], None],
    resolve: Callable[[str], Any] = lambda host: socket.getaddrinfo(host, None),
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Wait until every task's name resolves.

    Args:
        cluster: its tasks.
        timeout: seconds to wait; 0 waits forever.
        say: receives a line about the tasks whose names are missing.
        resolve, sleep: replace the lookup of a name, and ``time.sleep``.

    Raises:
        BadCluster: the timeout has passed, or a name cannot be a host name.
    """
    missing = {
        task: cluster.address(task).rpartition(":")[0].strip("[]") for task in cluster.peers()
    }
    waited, said = 0.0, -_AGAIN
    told: set[TaskId] = set()
    while missing := {task: host for task, host in missing.items() if not _known(host, resolve)}:
        if timeout and waited >= timeout:
            raise BadCluster(
                f"Host names of tasks did not resolve within {timeout:g} s: {_words(missing)}.",
                "Check whether they were started, and whether the names are right;"
                " --timeout S waits longer.",
            )
        news = set(missing) != told
        if waited >= _PATIENCE and (news or waited - said >= _AGAIN):
            say(f"waiting for {_words(missing)}: the name does not resolve yet")
            told, said = set(missing), waited
        sleep(_LOOK)
        waited += _LOOK


def _known(host: str, resolve: Callable[[str], Any]) -> bool:
    try:
        resolve(host)
    except OSError:
        return False
    except UnicodeError:
        raise BadCluster(f"{host!r} is not a valid host name.", "Correct it.") from None
    return True


def _words(missing: dict[TaskId, str]) -> str:
    named = [f"{task} ({host})" for task, host in missing.items()]
    more = f" and {len(named) - 4} others" if len(named) > 5 else ""
    return ", ".join(named[:4] if more else named) + more

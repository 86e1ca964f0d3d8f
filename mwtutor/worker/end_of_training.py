"""Notice, within a task, that its cluster's training has ended.

A parameter server stays in ``server.join()`` forever, and so does a worker that a chief drives. A
supervisor stops its tasks; without one, the job would run forever. So a task that only serves
checks the ports of the tasks that train, and exits once all of them have been seen listening and
none of them listens any longer. It does not wait forever for a task that started and ended between
two checks.
"""

from __future__ import annotations

import functools
import os
import sys
import threading
import time
from collections.abc import Callable
from types import ModuleType
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.system import ports
from mwtutor.system.importhook import when_imported

#: Seconds between two checks, and how many checks in a row must find no listener.
_LOOK, _LOOKS = 2.0, 3

#: The same numbers while some task has never been seen, because training may be short, or that task
#: may be late.
_LOOK_FOR_ALL, _LOOKS_FOR_ALL = 0.5, 120

#: Seconds for which tasks that do not affect the outcome may continue once the others have ended:
#: an evaluator, to evaluate the last checkpoint; a synchronous worker, to finish its last step. A
#: worker that has parameter servers may continue until it has been silent for that long.
LINGER = 60.0


def awaited_peers(cluster: ClusterSpec, task: TaskId) -> list[str]:
    """The addresses of the tasks without which a serving task has nothing to do.

    A worker that serves is driven by the chief. Parameter servers and the evaluator also wait for
    the workers, which may continue after the chief has exited.
    """
    return list(cluster.chief if task.type == "worker" else cluster.chief + cluster.worker)


def await_end(
    addresses: list[str],
    listens: Callable[[str], bool] | None = None,
    sleep: Callable[[float], None] = time.sleep,
) -> None:
    """Return once each peer has been seen listening, and none listened in the last few checks.

    Tasks that were never seen count as ended once the others have been gone for a minute.
    """
    look = listens or functools.partial(ports.listens, patience=_LOOK)
    seen: set[str] = set()
    silent = 0
    while True:
        found = {address for address in addresses if look(address)}
        seen |= found
        silent = 0 if found or not seen else silent + 1
        all_seen = seen == set(addresses)
        if silent >= (_LOOKS if all_seen else _LOOKS_FOR_ALL):
            return
        sleep(_LOOK if all_seen else _LOOK_FOR_ALL)


def end_with_training(cluster: ClusterSpec, task: TaskId, told: Callable[[], None]) -> None:
    """End this process when the training ends, if the process only serves it.

    Args:
        told: called, in a thread, when an evaluator should learn that training has ended.
    """
    others = awaited_peers(cluster, task)
    if task.type == "chief" or not others:
        return
    when_imported("tensorflow.python.training.server_lib", lambda module: _end_join(module, others))
    if task.type == "evaluator":
        threading.Thread(target=_end_evaluator, args=(others, told), daemon=True).start()


def _end_join(module: ModuleType, others: list[str]) -> None:
    def join(self: Any) -> None:
        await_end(others)
        print("mwtutor: training has ended, so this server exits.", file=sys.stderr)
        raise SystemExit(0)

    module.Server.join = join


def _end_evaluator(others: list[str], told: Callable[[], None]) -> None:
    await_end(others)
    told()
    time.sleep(LINGER)
    print("mwtutor: training has ended, so its evaluator exits.", file=sys.stderr, flush=True)
    sys.stdout.flush()
    os._exit(0)

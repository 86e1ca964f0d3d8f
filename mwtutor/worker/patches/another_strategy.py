"""Another ``MultiWorkerMirroredStrategy`` in a process that has already joined a cluster.

Creating one sets up the collectives again. A faster worker
may already have sent its first value; that value is discarded, and the collective fails ("Delete
called on non-empty BufRendezvous"). So a worker that creates another one waits until all have
created it, as TensorFlow itself ensures for the first. All strategies also count their collectives
from the same number, so a strategy that is used again after another one gets the other's keys. Here
each strategy has its own range.
"""

from __future__ import annotations

import functools
import inspect
import itertools
import math
import sys
import time
from collections.abc import Iterator
from types import ModuleType
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.system.importhook import when_imported

#: Seconds of one wait for the others; in between, Python notices an interrupt.
_LOOK = 1.0

#: Seconds after which the missing workers are reported.
_PATIENCE = 10.0

#: More device-group keys than one strategy uses.
_KEYS = 100_000

_again = itertools.count(1)

#: The reason why waiting workers must stop waiting.
_released: list[str] = []


def install() -> None:
    """Let each strategy wait for all workers, as soon as this process imports the module."""
    when_imported("tensorflow.python.distribute.collective_all_reduce_strategy", _wait_for_all)


def release(why: str) -> None:
    """Release all threads that wait here for other workers; they raise ``AbortedError``.

    Args:
        why: the error's message.
    """
    _released.append(why)


def _wait_for_all(module: ModuleType) -> None:
    extended = module.CollectiveAllReduceExtended
    join = extended._initialize_multi_worker

    @functools.wraps(join)
    def join_together(self: Any, *args: Any, **kwargs: Any) -> None:
        context = module.context.context()
        # Without the coordination service (graph mode), nothing is set up again.
        again = (
            context._collective_ops_server_def is not None
            and context.coordination_service is not None
            and module.context.executing_eagerly()
        )
        number = next(_again) if again else 0
        self._collective_key_base += number * _KEYS
        join(self, *args, **kwargs)
        if again:
            own = TaskId(self._task_type, self._task_id)
            _meet(context, own, list(_workers(self._cluster_spec)), number)

    extended._initialize_multi_worker = join_together


def _workers(cluster: Any) -> Iterator[TaskId]:
    for job in ("chief", "worker"):
        if job in cluster.jobs:
            yield from (TaskId(job, index) for index in cluster.task_indices(job))


def _meet(context: Any, own: TaskId, workers: list[TaskId], number: int) -> None:
    """Return when all workers have reached this place."""
    if own not in workers:
        return
    _released.clear()
    place = f"mwtutor/strategy/{number}"
    context.set_config_key_value(f"{place}/{own}", "made")
    tell = time.monotonic() + _PATIENCE
    for other in workers:
        while not _has(context, f"{place}/{other}"):
            if time.monotonic() > tell:
                tell = math.inf
                print(
                    "mwtutor: this worker has created another MultiWorkerMirroredStrategy, and"
                    f" waits until {other} does the same.",
                    file=sys.stderr,
                    flush=True,
                )


def _has(context: Any, key: str) -> bool:
    """Wait for a key; with a timeout, where TensorFlow supports one."""
    from tensorflow.python.framework import errors_impl

    if _released:
        raise errors_impl.AbortedError(None, None, _released[-1])
    look = context.get_config_key_value
    if "timeout_in_ms" not in inspect.signature(look).parameters:
        look(key)
        return True
    try:
        look(key, timeout_in_ms=int(_LOOK * 1000))
    except errors_impl.DeadlineExceededError:
        return False
    return True

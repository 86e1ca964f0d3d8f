"""When a run ends, and how. A pure function of what its tasks are doing."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from mwtutor.cluster import TaskId
from mwtutor.run.status import Status

#: Seconds left to tasks that decide nothing once those that decide have ended: for an evaluator to
#: evaluate the last checkpoint, for a synchronous worker to leave its last step.
LINGER = 60.0

#: Errors that TensorFlow raises in a task because another one is gone, and the seconds within which
#: that other task must be seen to end; otherwise the task that raised is taken for the culprit.
AFTER_A_LOSS = ("UnavailableError", "AbortedError", "CancelledError", "InternalError")
SUSPICION = 0.5


@dataclass(frozen=True)
class Decision:
    """What to do about a run now.

    Attributes:
        action: go on; ``finish``: stop the tasks in ``stop`` because their work is done and wait
            for the others; ``fail``: stop everything because of ``culprit``.
        stop: tasks whose work is done.
        linger: whether the time of :data:`LINGER` is running.
    """

    action: Literal["go on", "finish", "fail", "end"]
    culprit: TaskId | None = None
    stop: tuple[TaskId, ...] = ()
    linger: bool = False


def deciders(tasks: Mapping[TaskId, Status]) -> list[TaskId]:
    """The tasks whose end is the end of the run: the chief if there is one, else the workers."""
    chiefs = [task for task in tasks if task.type == "chief"]
    return chiefs or [task for task in tasks if task.type == "worker"]


def decide(
    tasks: Mapping[TaskId, Status],
    first_failed: TaskId | None,
    served: frozenset[TaskId] = frozenset(),
) -> Decision:
    """What a run does next.

    Args:
        tasks: every task of the run, in the order of the cluster.
        first_failed: the first failure that counts.
        served: tasks that have ever been seen serving.
    """
    if first_failed is not None:
        return Decision("fail", culprit=first_failed)
    if not all(tasks[task].ended for task in deciders(tasks)):
        return Decision("go on")
    going = [task for task, status in tasks.items() if not status.ended]
    if not going:
        return Decision("end")
    done = tuple(task for task in going if task.type == "ps" or task in served)
    return Decision("finish", stop=done, linger=len(done) < len(going))


def counts(task: TaskId, tasks: Mapping[TaskId, Status], served: frozenset[TaskId]) -> bool:
    """Whether the failure of ``task`` fails the run at once.

    A chief that drives parameter servers continues without a worker that served it, and training
    continues without its evaluator; both are reported.
    """
    if task.type == "evaluator":
        return False
    asynchronous = any(t.type == "chief" for t in tasks) and any(t.type == "ps" for t in tasks)
    return not (task.type == "worker" and asynchronous and task in served)

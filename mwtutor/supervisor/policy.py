"""What a supervisor decides: who is to blame, whom to stop, when a run ends, and how.

Pure: values in, values out. What is decided is done in :mod:`mwtutor.supervisor.loop`.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from mwtutor.cluster import TaskId
from mwtutor.run.state import Outcome, TaskState
from mwtutor.run.status import Status

#: Seconds left to tasks that decide nothing once those that decide have ended: for an evaluator to
#: evaluate the last checkpoint, for a synchronous worker to leave its last step.
LINGER = 60.0

#: Errors that TensorFlow raises in a task because another one is gone, and the seconds within which
#: that other task must be seen to end; otherwise the task that raised is taken for the culprit.
AFTER_A_LOSS = ("UnavailableError", "AbortedError", "CancelledError", "InternalError")
SUSPICION = 0.5

#: Seconds that a program has, once it has raised, to print, run ``atexit`` and end.
LAST_WORDS = 5.0


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


@dataclass(frozen=True)
class Verdict:
    """How a run is being ended: a status as in :class:`Outcome`, and why."""

    status: str
    reason: str = ""

    @property
    def ok(self) -> bool:
        return self.status == "succeeded"


@dataclass
class Blame:
    """Whose failure it was: that of the first that counts; later ones are its consequences.

    Attributes:
        culprit: the task that failed first.
        suspect: one that raised, perhaps because of another's end: peers hear of a death before the
            dying process is gone.
    """

    culprit: TaskId | None = None
    suspect: TaskId | None = None

    def consider(self, task: TaskId, error: str | None) -> bool:
        """A task has failed, of an exception of this type if of one at all.

        Returns:
            Whether it has become the suspect, so that :data:`SUSPICION` begins.
        """
        if self.culprit is not None:
            return False
        if error not in AFTER_A_LOSS:
            self.culprit = task
            return False
        if self.suspect is not None:
            return False
        self.suspect = task
        return True

    def confirm(self) -> None:
        """The suspicion is over, and nobody else has failed."""
        if self.culprit is None:
            self.culprit = self.suspect


def deciders(tasks: Collection[TaskId]) -> list[TaskId]:
    """The tasks whose end is the end of the run: the chief if there is one, else the workers."""
    chiefs = [task for task in tasks if task.type == "chief"]
    return chiefs or [task for task in tasks if task.type == "worker"]


def decide(
    tasks: Mapping[TaskId, Status],
    culprit: TaskId | None,
    served: Collection[TaskId] = (),
) -> Decision:
    """What a run does next.

    Args:
        tasks: every task of the run, in the order of the cluster.
        culprit: the first failure that counts.
        served: tasks that have ever been seen serving.
    """
    if culprit is not None:
        return Decision("fail", culprit=culprit)
    if not all(tasks[task].ended for task in deciders(tasks)):
        return Decision("go on")
    going = [task for task, status in tasks.items() if not status.ended]
    if not going:
        return Decision("end")
    done = tuple(task for task in going if task.type == "ps" or task in served)
    return Decision("finish", stop=done, linger=len(done) < len(going))


def counts(task: TaskId, tasks: Collection[TaskId], served: Collection[TaskId]) -> bool:
    """Whether the failure of ``task`` fails the run at once.

    A chief that drives parameter servers continues without a worker that served it, and training
    continues without its evaluator; both are reported.
    """
    if task.type == "evaluator":
        return False
    asynchronous = any(t.type == "chief" for t in tasks) and any(t.type == "ps" for t in tasks)
    return not (task.type == "worker" and asynchronous and task in served)


def ended_as(exit: int, *, stopped: bool, done: bool) -> Status:
    """How a task has ended.

    Args:
        exit: its exit status (negative: a signal).
        stopped: whether it was told to end, or was killed.
        done: whether that was because its work was done.
    """
    if exit == 0:
        return Status.SUCCEEDED
    if not stopped:
        return Status.FAILED
    return Status.SUCCEEDED if done else Status.STOPPED


def conclude(
    verdict: Verdict, culprit: TaskId | None, tasks: Mapping[TaskId, TaskState]
) -> Outcome:
    """How a run has ended, now that all of its tasks have."""
    if not verdict.ok:
        return Outcome(
            verdict.status, verdict.reason, culprit if verdict.status == "failed" else None
        )
    for task in tasks.values():
        if task.id.type == "evaluator" and task.status is Status.FAILED:
            return Outcome("failed", task.reason, task.id)
    return Outcome(verdict.status, verdict.reason)

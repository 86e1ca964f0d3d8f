"""Which task is to blame for a failure; pure functions."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mwtutor.cluster import TaskId
from mwtutor.run.record.events import ProgramEnded, ProgramRaised
from mwtutor.run.record.state import RunState, TaskState

#: Errors that TensorFlow raises in a task because another task exited; what Horovod prints in that
#: case. If the other task is not seen to end within ``SUSPICION``, the task that raised the error
#: counts as the culprit.
AFTER_A_LOSS = (
    *("UnavailableError", "AbortedError", "CancelledError", "InternalError"),
    "HorovodInternalError",
)
HOROVOD_LOSS = ("Horovod has been shut down", "gloo/transport", "Connection closed by peer")


@dataclass
class Blame:
    """The failure to report: the first that counts; later ones are its consequences.

    Attributes:
        culprit: the task that failed first.
        suspect: a task that raised an exception, perhaps because another task exited; peers may
            notice an exit before the supervisor does.
    """

    culprit: TaskId | None = None
    suspect: TaskId | None = None

    def consider(self, task: TaskId, end: ProgramRaised | ProgramEnded | None) -> bool:
        """Consider a task that has failed, with this exception if any.

        Returns:
            Whether it has become the suspect, so that ``SUSPICION`` begins.
        """
        if self.culprit is not None:
            return False
        raised = isinstance(end, ProgramRaised) and _after_a_loss(end.error, end.message)
        if not raised:
            self.culprit = task
            return False
        if self.suspect is not None:
            return False
        self.suspect = task
        return True

    def confirm(self) -> None:
        """Blame the suspect, unless another task has failed in the meantime."""
        if self.culprit is None:
            self.culprit = self.suspect


def _after_a_loss(error: str, message: str) -> bool:
    """Whether an exception may be the consequence of another task's exit."""
    return error in AFTER_A_LOSS or any(one in message for one in HOROVOD_LOSS)


def alike(culprit: TaskId, tasks: Mapping[TaskId, TaskState]) -> set[TaskId]:
    """The culprit, and the tasks that raised the same error."""
    first = tasks[culprit]
    return {culprit} | {name for name, task in tasks.items() if task.raised_the_same(first)}


def may_be_alike(culprit: TaskId, state: RunState) -> bool:
    """Whether others may be about to raise what the culprit raised."""
    error = state.tasks[culprit].error
    if not error or _after_a_loss(error["error"], error["message"]):
        return False
    others = (state.tasks[name] for name in training_tasks(state))
    return any(not task.status.ended and not task.error for task in others)


def training_tasks(state: RunState) -> list[TaskId]:
    """The tasks that do the training, rather than serve others."""
    trainers = state.cluster.trainers if state.cluster is not None else ()
    return [task for task in trainers if task not in state.served]

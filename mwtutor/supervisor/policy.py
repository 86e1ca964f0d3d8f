"""The supervisor's decisions: which tasks to stop, when a run ends, and how.
These functions are pure; :mod:`mwtutor.supervisor.loop` carries the decisions out.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import pairwise
from typing import Literal

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.record.state import Outcome, RunState, TaskState
from mwtutor.run.record.task_status import Status
from mwtutor.supervisor.blame import alike, training_tasks
from mwtutor.supervisor.deadlines import LINGER


@dataclass(frozen=True)
class Decision:
    """The next action on a run.

    Attributes:
        action: ``continue``; ``finish``: stop the tasks in ``stop``, and wait for the others;
            ``fail``: stop everything because of ``culprit``; ``end``: all tasks have ended.
        stop: tasks whose work is done.
        linger: tasks that do not affect the outcome; they get :data:`LINGER` more seconds.
    """

    action: Literal["continue", "finish", "fail", "end"]
    culprit: TaskId | None = None
    stop: tuple[TaskId, ...] = ()
    linger: tuple[TaskId, ...] = ()


def decide(cluster: ClusterSpec, state: RunState, culprit: TaskId | None) -> Decision:
    """Decide what happens to a run next.

    Args:
        culprit: the first failure that counts.
    """
    if culprit is not None:
        return Decision("fail", culprit=culprit)
    if not all(state.tasks[task].status.ended for task in cluster.deciders):
        return Decision("continue")
    going = [name for name, task in state.tasks.items() if not task.status.ended]
    if not going:
        return Decision("end")
    working = [task for task in going if task.type == "worker" and task not in state.served]
    evaluators = [task for task in going if task.type == "evaluator"]
    servers = {task for task in going if task.type == "ps"}
    done = tuple(task for task in going if task in servers or task in state.served)
    if servers and working:  # training continues, as it would without a supervisor
        stop = tuple(task for task in done if task not in servers)
        return Decision("finish", stop=stop, linger=tuple(working))
    return Decision("finish", stop=done, linger=(*working, *evaluators))


def may_stay(task: TaskId, cluster: ClusterSpec, quiet: float) -> float:
    """How many seconds a lingering task may continue although its time is over; 0 means not at all.

    Args:
        quiet: the seconds since it last reported or printed something.
    """
    return max(LINGER - quiet, 0.0) if cluster.ps and task in cluster.trainers else 0.0


def why_cut(task: TaskId, cluster: ClusterSpec) -> str:
    """Why a task that lingered was stopped."""
    if task.type == "evaluator":
        return (
            f"{task} was still running {LINGER:g} s after training had ended, and was stopped: its"
            " log shows what it evaluated (an evaluator should end after the last checkpoint, as"
            " SidecarEvaluator does with max_evaluations)"
        )
    ended = " and ".join(map(str, cluster.deciders))
    if cluster.ps:
        return f"{task} was stopped: {ended} had ended, and it was silent for {LINGER:g} s"
    return f"{task} was still running {LINGER:g} s after {ended} had ended, and was stopped"


def counts(task: TaskId, state: RunState) -> bool:
    """Whether the failure of ``task`` ends the run immediately.

    A chief that drives parameter servers continues without a worker that served it, and training
    continues without its evaluator; either failure is reported.
    """
    return task.type != "evaluator" and task not in state.dispensable


def waits_in_vain(state: RunState) -> bool:
    """Whether a chief waits for closures that no worker is left to compute."""
    closures = state.closures
    return closures is not None and closures.waiting and closures.left > 0 and bool(state.stranded)


def ended_as(exit: int, *, stopped: bool, done: bool) -> Status:
    """How a task has ended.

    Args:
        exit: its exit status (negative: a signal).
        stopped: whether it was asked to exit, or was killed.
        done: whether that was because its work was done.
    """
    if exit == 0:
        return Status.SUCCEEDED
    if not stopped:
        return Status.FAILED
    return Status.SUCCEEDED if done else Status.STOPPED


def _together(culprit: TaskId, state: RunState) -> str:
    """A clause for the reason of the failure if all training tasks raised the same error."""
    trainers = training_tasks(state)
    if len(trainers) < 2 or not alike(culprit, state.tasks).issuperset(trainers):
        return ""
    number = "both" if len(trainers) == 2 else f"all {len(trainers)}"
    kind = "workers" if all(task.type == "worker" for task in trainers) else "tasks"
    return f"; {number} {kind} raised the same error"


def _left_running(tasks: Mapping[TaskId, TaskState]) -> str:
    """A clause about stopped scripts, if the tasks did nothing but start them.

    Empty if there were none, or if a task has trained or joined a cluster: then its end counts.
    """
    if any(task.step is not None or task.listening or task.has_company for task in tasks.values()):
        return ""
    left = [script for task in tasks.values() for script in task.findings.left]
    if not left:
        return ""
    names = ", ".join(dict.fromkeys(left))
    return f"{names} was still running when the program that had started it ended, and was stopped"


def conclude(verdict: Outcome, culprit: TaskId | None, state: RunState) -> Outcome:
    """How a run has ended, now that all of its tasks have ended.

    Training that was cut short has not succeeded; an evaluator that was cut short is not a failure
    of training.
    """
    if verdict.status == "failed" and culprit is not None:
        return Outcome("failed", verdict.reason + _together(culprit, state), culprit)
    if not verdict.ok:
        return verdict
    tasks = state.tasks
    for task in tasks.values():
        if task.id.type == "evaluator" and task.status is Status.FAILED:
            return Outcome("failed", task.reason, task.id)
    if left := _left_running(tasks):
        return Outcome("stopped", left)
    cut = [task for task in tasks.values() if task.status is Status.STOPPED]
    status = "stopped" if any(task.id.type == "worker" for task in cut) else verdict.status
    return Outcome(status, "; ".join([*_smaller(state), *(task.reason for task in cut)]))


def _smaller(state: RunState) -> Iterator[str]:
    """A clause on the size of the cluster that ended the run, if it was smaller than the first."""
    if state.smaller:
        before = pairwise(state.attempts)
        why = [one.reason for one, other in before if other.workers < one.workers]
        yield f"it ended with {state.smaller}, because {'; '.join(why)}"

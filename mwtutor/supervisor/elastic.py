"""Which workers the next attempt of an elastic run leaves out; pure functions."""

from __future__ import annotations

from collections.abc import Collection

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.request.options import LaunchRequest
from mwtutor.supervisor.world import Task


def was_killed(culprit: Task) -> bool:
    """Whether the task was lost, rather than ended by its own program.

    An exception or an exit code comes from the program, and would occur again with fewer workers.
    """
    return culprit.raised is None and (culprit.ended_by or 0) < 0


def workers_to_drop(
    lost: Collection[TaskId], cluster: ClusterSpec, least: int
) -> tuple[TaskId, ...]:
    """The lost workers to leave out; none if fewer than ``least`` workers would remain."""
    workers = tuple(task for task in lost if task.type == "worker")
    return workers if len(cluster.worker) - len(workers) >= least else ()


def cut_off(culprit: TaskId, left_out: Collection[TaskId]) -> str:
    """A clause on workers that are left out because they are unplugged, not because they failed."""
    others = [str(task) for task in left_out if task != culprit]
    return f"; {', '.join(others)}: unplugged" if others else ""


def in_vain(culprit: Task, cluster: ClusterSpec, request: LaunchRequest) -> str:
    """Why the run does not continue without its culprit: text to append to the failure's reason."""
    lost = request.elastic and culprit.id.type == "worker" and was_killed(culprit)
    if not lost or len(cluster.worker) > request.least:
        return ""
    plural = "s" * (request.least != 1)
    return f"; --elastic {request.elastic} allows no fewer than {request.least} worker{plural}"

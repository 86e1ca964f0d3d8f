"""The environment variables of one task, besides those that it inherits."""

from __future__ import annotations

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.run.record.spec import MARKER, RunSpec
from mwtutor.run.request import horovod, jax
from mwtutor.system.variables import ATTEMPT


def task_environment(
    run: RunSpec, cluster: ClusterSpec, task: TaskId, origin: TaskId, attempt: int
) -> dict[str, str]:
    """The variables that a supervisor sets in a task.

    Args:
        cluster: the present one; a cluster that was restarted may be smaller.
        origin: the task that had this task's address and devices when the run was launched.
        attempt: the number of the task's start.
    """
    return {
        MARKER: run.id,
        ATTEMPT: str(attempt),
        **_place(run, cluster, task),
        **run.task_env.get(str(origin), {}),
    }


def _place(run: RunSpec, cluster: ClusterSpec, task: TaskId) -> dict[str, str]:
    """The variables that give a task its place among the others."""
    if run.request.is_horovod:
        return horovod.env(cluster, task)
    more = jax.env(cluster, task) if run.request.is_jax else {}
    return {"TF_CONFIG": cluster.tf_config(task), **more}

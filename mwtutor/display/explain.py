"""Explain a task's ``TF_CONFIG``, or the variables of Horovod or JAX."""

from __future__ import annotations

import json
import shlex

from mwtutor.cluster import ClusterSpec, TaskId, parse_tf_config
from mwtutor.run.request import horovod, jax

_ROLES = {
    "chief": "trains like a worker, and also writes checkpoints and summaries",
    "worker": "trains on its share of every global batch",
    "ps": "stores variables and serves them to the tasks that train",
    "evaluator": "evaluates checkpoints, and does not communicate with the cluster",
}


def explain_tf_config(text: str) -> str:
    """The JSON, ready to copy, and what it means for its task.

    The text may come from a modified file, so it is converted to ASCII and quoted for a shell.
    """
    cluster, task = parse_tf_config(text)
    quoted = shlex.quote(json.dumps(json.loads(text)))
    lines = [f"TF_CONFIG={quoted}", f"  {_identity(cluster, task)} {_ROLES[task.type]}."]
    for peer in cluster.peers():
        here = "  <- this task" if peer == task else ""
        lines.append(f"  {peer} is at {cluster.address(peer)}{here}")
    if task == TaskId("worker", 0) and not cluster.chief:
        lines.append("  Without a chief, worker:0 also does the chief's work.")
    return "\n".join(lines)


def explain_rank(cluster: ClusterSpec, task: TaskId) -> str:
    """The variables of a Horovod rank, and what they mean."""
    env = horovod.env(cluster, task)
    rank, size, local, beside, cross, machines = (
        env[f"HOROVOD_{scope}{what}"]
        for scope in ("", "LOCAL_", "CROSS_")
        for what in ("RANK", "SIZE")
    )
    where = f"All are on one machine, so its local rank, which selects its GPU, is also {local}."
    if beside != size:
        where = (
            f"{beside} are on its machine, {env['HOROVOD_HOSTNAME']}, where its local rank, which"
            f" selects its GPU, is {local}. {machines} machines have this local rank; its cross"
            f" rank among them is {cross}."
        )
    return "\n".join(
        [
            *(f"{name}={value}" for name, value in env.items() if name.startswith("HOROVOD_")),
            f"  {task} is rank {rank} of {size}. {where}",
            f"  The ranks meet at {cluster.worker[0]}, where rank 0 runs Horovod's rendezvous"
            " server, and then connect to each other.",
        ]
    )


def explain_process(cluster: ClusterSpec, task: TaskId) -> str:
    """The variables of a process of JAX, and what they mean."""
    env = {"KERAS_BACKEND": "jax", **jax.env(cluster, task)}
    return "\n".join(
        [
            *(f"{name}={value}" for name, value in env.items()),
            f"  {task} is process {task.index} of {len(cluster.worker)}. The processes meet at"
            f" {cluster.worker[0]}, where process 0 runs JAX's coordinator.",
        ]
    )


def _identity(cluster: ClusterSpec, task: TaskId) -> str:
    others = len(list(cluster.peers())) - (task.type != "evaluator")
    return f"This is {task}, with {others} peer{'s' * (others != 1)}; it"

"""JAX programs: the environment variables with which their processes find each other.

Process k is the task ``worker:k``. All meet at the address of ``worker:0``, where process 0 runs
JAX's coordinator. ``TF_CONFIG`` is set as well: it describes the same tasks and addresses.
"""

from __future__ import annotations

from mwtutor.cluster import ClusterSpec, TaskId

#: Why an option cannot be combined with ``--with jax``, by its field.
REFUSED = {
    "chief": "JAX's processes are all alike, and process 0 does what only one process should do",
    "ps": "JAX has no parameter servers",
    "evaluator": "JAX has no evaluator: evaluate on process 0, or on all processes",
    "evaluator_gpus": "JAX has no evaluator: evaluate on process 0, or on all processes",
    "comm": "JAX sums gradients itself",
    "keras": "only Keras 3 runs on JAX",
}


def env(cluster: ClusterSpec, task: TaskId) -> dict[str, str]:
    """The variables that ``keras.distribution.initialize()`` and JAX read."""
    meeting = cluster.worker[0]
    return {
        "KERAS_DISTRIBUTION_JOB_ADDRESSES": meeting,
        "KERAS_DISTRIBUTION_NUM_PROCESSES": str(len(cluster.worker)),
        "KERAS_DISTRIBUTION_PROCESS_ID": str(task.index),
        "JAX_COORDINATOR_ADDRESS": meeting,
        "JAX_COORDINATOR_BIND_ADDRESS": meeting,  # by default, JAX listens on all addresses
        "JAX_CHECK_PROXY_ENVS": "0",  # JAX would warn about the relay, which it does not use
    }

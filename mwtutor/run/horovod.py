"""Programs of Horovod: what a rank finds in its environment in place of ``TF_CONFIG``.

The variables are those that ``horovodrun`` sets for its processes when it uses Gloo; all ranks are
on this machine. Rank k is the task ``worker:k``.
"""

from __future__ import annotations

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.worker.horovod import ADDRESS

#: Why an option cannot be combined with ``--with horovod``, by its field.
REFUSED = {
    "chief": "Horovod has ranks that are all alike, and rank 0 does what one alone should do",
    "ps": "Horovod has no parameter servers",
    "evaluator": "Horovod has no evaluator: evaluate on rank 0, or on all",
    "evaluator_gpus": "Horovod has no evaluator: evaluate on rank 0, or on all",
    "comm": "Horovod adds up gradients itself, with Gloo here",
    "keras": "which Keras it is follows from the TensorFlow that Horovod was built with",
    "machines": "Horovod's ranks find each other on one machine here",
}

_LOCAL = "127.0.0.1"


def env(cluster: ClusterSpec, task: TaskId) -> dict[str, str]:
    """The variables of one rank."""
    size = str(len(cluster.worker))
    here = {"RANK": str(task.index), "SIZE": size}
    return {
        **{f"HOROVOD_{name}": value for name, value in here.items()},
        **{f"HOROVOD_LOCAL_{name}": value for name, value in here.items()},
        "HOROVOD_CROSS_RANK": "0",
        "HOROVOD_CROSS_SIZE": "1",
        "HOROVOD_HOSTNAME": "localhost",
        "HOROVOD_CONTROLLER": "gloo",
        "HOROVOD_CPU_OPERATIONS": "gloo",
        "HOROVOD_GLOO_IFACE": "lo",
        "HOROVOD_GLOO_RENDEZVOUS_ADDR": _LOCAL,
        "HOROVOD_GLOO_RENDEZVOUS_PORT": cluster.worker[0].rpartition(":")[2],
        ADDRESS: cluster.address(task),
    }

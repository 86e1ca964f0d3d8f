"""Horovod programs: the environment variables that a rank has in place of ``TF_CONFIG``.

The variables are those that ``horovodrun`` sets for its processes when it uses Gloo. Rank k is the
task ``worker:k``. The ranks are on this machine, or on the run's simulated machines.
"""

from __future__ import annotations

from collections import Counter

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.network.machines import deal
from mwtutor.worker.horovod import ADDRESSES

#: Why an option cannot be combined with ``--with horovod``, by its field.
REFUSED = {
    "chief": "Horovod's ranks are all alike, and rank 0 does what only one rank should do",
    "ps": "Horovod has no parameter servers",
    "evaluator": "Horovod has no evaluator: evaluate on rank 0, or on all ranks",
    "evaluator_gpus": "Horovod has no evaluator: evaluate on rank 0, or on all ranks",
    "comm": "Horovod sums gradients itself, with Gloo here",
    "keras": "the TensorFlow that Horovod was built with determines the version of Keras",
}

_LOCAL = "127.0.0.1"


def env(cluster: ClusterSpec, task: TaskId) -> dict[str, str]:
    """The variables of one rank; tasks with the same host are on the same machine."""
    places = [address.rpartition(":")[0] for address in cluster.worker]
    slots = Counter(places)  # in the order of the ranks
    here = places[task.index]
    local = places[: task.index].count(here)
    # The machines that have this local rank.
    across = [place for place in slots if slots[place] > local]
    address, _, port = cluster.worker[0].rpartition(":")
    found = {
        "RANK": task.index,
        "SIZE": len(places),
        "LOCAL_RANK": local,
        "LOCAL_SIZE": slots[here],
        "CROSS_RANK": across.index(here),
        "CROSS_SIZE": len(across),
        "HOSTNAME": here,
        "CONTROLLER": "gloo",
        "CPU_OPERATIONS": "gloo",
        "GLOO_IFACE": "lo" if here == _LOCAL else "eth0",
        "GLOO_RENDEZVOUS_ADDR": address,
        "GLOO_RENDEZVOUS_PORT": port,
    }
    return {
        **{f"HOROVOD_{name}": str(value) for name, value in found.items()},
        ADDRESSES: ",".join(cluster.worker),
    }


def neighbors(task: TaskId, ranks: int, machines: int) -> tuple[TaskId, ...]:
    """The ranks on the same machine as this one, itself included, in the order of local ranks.

    Args:
        ranks: the number of the run's ranks; 0 if it is not a Horovod run.
        machines: the number of its simulated machines; 0 means this machine.
    """
    places = deal(ranks, machines or 1)
    there = (rank for rank in range(ranks) if places[rank] == places[task.index])
    return tuple(TaskId("worker", rank) for rank in there)

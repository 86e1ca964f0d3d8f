"""The code before the first cell: run in every task, and written into exported scripts."""

from __future__ import annotations

#: The minimum size in bytes of the parts of a variable that is split over the parameter servers.
PARTITION_ENV = "MWTUTOR_PARTITION"

#: The strategy comes before any other TensorFlow operation: it joins the cluster.
SOURCE = """\
import tensorflow as tf

strategy = tf.distribute.MultiWorkerMirroredStrategy()
task_type = strategy.cluster_resolver.task_type or "worker"
task_index = strategy.cluster_resolver.task_id or 0
_jobs = strategy.cluster_resolver.cluster_spec().as_dict()
num_workers = max(1, len(_jobs.get("chief", [])) + len(_jobs.get("worker", [])))
is_chief = task_type == "chief" or (task_index == 0 and not _jobs.get("chief"))
"""

_SERVED = """\
import os

os.environ.setdefault("GRPC_FAIL_FAST", "use_caller")  # wait for a lost worker
import tensorflow as tf

_resolver = tf.distribute.cluster_resolver.TFConfigClusterResolver()
task_type, task_index = _resolver.task_type, _resolver.task_id
_jobs = _resolver.cluster_spec().as_dict()
if task_type in ("worker", "ps"):
    tf.distribute.Server(
        _resolver.cluster_spec(), job_name=task_type, task_index=task_index, protocol="grpc"
    ).join()  # forever: what it computes and stores is up to the chief
strategy = tf.distribute.ParameterServerStrategy(_resolver{partitioner})
coordinator = tf.distribute.coordinator.ClusterCoordinator(strategy)
num_workers, num_ps, is_chief = len(_jobs["worker"]), len(_jobs["ps"]), True
"""

_PARTITIONER = """,
    variable_partitioner=tf.distribute.experimental.partitioners.MinSizePartitioner(
        min_shard_bytes={}, max_shards=len(_jobs["ps"])
    ),
"""


def source(*, ps: bool, partition: int = 0) -> str:
    """The source for a cluster.

    Args:
        ps: whether it has parameter servers; if so, its cells run on the chief, which the other
            tasks serve.
        partition: bytes, see ``LaunchRequest.partition``.
    """
    if not ps:
        return SOURCE
    partitioner = _PARTITIONER.format(partition) if partition else ""
    return _SERVED.format(partitioner=partitioner)

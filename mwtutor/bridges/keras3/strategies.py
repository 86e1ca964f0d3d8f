"""Determine properties of the current strategy."""

from __future__ import annotations

from typing import Any

import tensorflow as tf
from tensorflow.python.eager import context


def multi_worker(strategy: Any) -> bool:
    """Whether this is a ``MultiWorkerMirroredStrategy`` of two workers or more."""
    return (
        isinstance(strategy, tf.distribute.MultiWorkerMirroredStrategy)
        and strategy.extended._in_multi_worker_mode()
    )


def multi_worker_of_version_1(strategy: Any) -> bool:
    """Whether this is the strategy's version in ``tf.compat.v1``, which cannot gather values."""
    return (
        isinstance(strategy, tf.compat.v1.distribute.experimental.MultiWorkerMirroredStrategy)
        and strategy.extended._in_multi_worker_mode()
    )


def parameter_server(strategy: Any) -> bool:
    """Whether this is a ``ParameterServerStrategy``."""
    return isinstance(strategy, tf.distribute.ParameterServerStrategy)


def workers_in_this_process() -> int:
    """The number of workers in this process's ``MultiWorkerMirroredStrategy``; 0 if none.

    The number is read from TensorFlow's runtime, because the strategy may have been created before
    Keras, and therefore the bridge, was imported.
    """
    server = context.context()._collective_ops_server_def
    if server is None or server.job_name not in ("chief", "worker"):
        return 0
    return sum(len(job.tasks) for job in server.cluster.job if job.name in ("chief", "worker"))


def in_replica() -> bool:
    """Whether this code runs inside ``strategy.run`` of a :func:`multi_worker` strategy."""
    return not tf.distribute.in_cross_replica_context() and multi_worker(
        tf.distribute.get_strategy()
    )


def in_served_step() -> bool:
    """Whether this code runs inside ``strategy.run`` of a ``ParameterServerStrategy``."""
    return not tf.distribute.in_cross_replica_context() and parameter_server(
        tf.distribute.get_strategy()
    )


def strategy_of(model: Any) -> Any:
    """The multi-worker strategy that a model was created under, or None."""
    strategy = getattr(model, "_distribute_strategy", None)
    return strategy if multi_worker(strategy) else None


def is_chief(strategy: Any) -> bool:
    """Whether this worker is the one that writes files."""
    return bool(strategy.extended.should_checkpoint)

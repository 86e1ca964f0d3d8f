"""Estimator training on a cluster under a ``tf.distribute`` strategy.

This file is executed as ``tensorflow.python.distribute.estimator_training``, which TensorFlow 2.16
removed. It delegates to the distribute coordinator, which still exists
(``distribute_coordinator``). The coordinator starts this task's server, configures a copy of the
strategy for the task, and calls back with that copy. These functions define what an Estimator does
in that call.

Who calls what, in ``tensorflow-estimator`` 2.15.0:

- ``RunConfig.__init__``: ``init_run_config``, if a strategy is given;
- ``train_and_evaluate``: ``should_run_distribute_coordinator``, and then ``train_and_evaluate``;
- ``Estimator.train`` and ``.evaluate``, for a client of a remote cluster: ``estimator_train`` and
  ``estimator_evaluate``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Sequence
from typing import Any

from tensorflow.python.distribute import distribute_coordinator, distribute_coordinator_context
from tensorflow.python.distribute.multi_worker_util import normalize_cluster_spec
from tensorflow.python.platform import tf_logging as logging
from tensorflow.python.training.server_lib import ClusterSpec

CHIEF = distribute_coordinator._TaskType.CHIEF
EVALUATOR = distribute_coordinator._TaskType.EVALUATOR
PS = distribute_coordinator._TaskType.PS
WORKER = distribute_coordinator._TaskType.WORKER

_INDEPENDENT_WORKER = distribute_coordinator.CoordinatorMode.INDEPENDENT_WORKER
_STANDALONE_CLIENT = distribute_coordinator.CoordinatorMode.STANDALONE_CLIENT
_MODES = (_INDEPENDENT_WORKER, _STANDALONE_CLIENT)

_TRAIN = "train"
_EVAL = "eval"


def init_run_config(config: Any, tf_config: dict[str, Any]) -> None:
    """Fill in the distributed part of a ``RunConfig`` that has a strategy.

    With a cluster to train on, the fields that describe the task keep the values of a single
    process until the task runs; then the coordinator fills them in. Without a cluster, they come
    from ``TF_CONFIG``, as they do without a strategy.

    Args:
        config: the ``RunConfig`` under construction.
        tf_config: the parsed ``TF_CONFIG``; empty if there is none.

    Raises:
        ValueError: a strategy or a cluster is given twice.
    """
    for purpose in (_TRAIN, _EVAL):
        _take_experimental_strategy(config, purpose)
    cluster = ClusterSpec(tf_config.get("cluster", {}))
    remote = getattr(config._experimental_distribute, "remote_cluster", None)
    config._init_distributed_setting_from_environment_var({})
    config._distribute_coordinator_mode = None
    if remote and config._train_distribute:
        if cluster:
            raise ValueError(
                "Two clusters are given: one in TF_CONFIG, one as "
                "experimental_distribute.remote_cluster. Leave the cluster out of TF_CONFIG in a "
                "client of a remote cluster."
            )
        config._distribute_coordinator_mode = _STANDALONE_CLIENT
        config._cluster_spec = remote
    elif cluster and config._train_distribute and "master" not in cluster.jobs:
        config._distribute_coordinator_mode = _INDEPENDENT_WORKER
        config._cluster_spec = cluster
    else:
        config._init_distributed_setting_from_environment_var(tf_config)
        config._maybe_overwrite_session_config_for_distributed_training()
    logging.info("RunConfig: distribute coordinator %s", config._distribute_coordinator_mode)


def _take_experimental_strategy(config: Any, purpose: str) -> None:
    """Use ``experimental_distribute.<purpose>_distribute`` as ``<purpose>_distribute``."""
    name = f"{purpose}_distribute"
    strategy = getattr(config._experimental_distribute, name, None)
    if not strategy:
        return
    if getattr(config, f"_{name}"):
        raise ValueError(f"Set either {name} or experimental_distribute.{name}, not both.")
    setattr(config, f"_{name}", strategy)


def should_run_distribute_coordinator(config: Any) -> bool:
    """Whether the coordinator runs ``train_and_evaluate`` for this ``RunConfig``."""
    mode = getattr(config, "_distribute_coordinator_mode", None)
    if mode is None:
        return False
    if mode not in _MODES:
        logging.warning("Unknown distribute coordinator mode %r: not using it", mode)
        return False
    if not config.cluster_spec:
        logging.warning("No cluster: training in this process, without a distribute coordinator")
        return False
    return True


def train_and_evaluate(
    estimator: Any, train_spec: Any, eval_spec: Any, executor_cls: Callable[..., Any]
) -> None:
    """Do this task's part of ``train_and_evaluate``: train, serve, or follow the checkpoints.

    Args:
        estimator: the ``Estimator``, whose ``RunConfig`` names the strategies and the cluster.
        train_spec: a ``TrainSpec``.
        eval_spec: an ``EvalSpec``.
        executor_cls: runs the evaluator task; called with (estimator, train_spec, eval_spec).

    Raises:
        ValueError: the ``RunConfig`` is not meant for the coordinator.
    """
    config = estimator.config
    mode = config._distribute_coordinator_mode
    if not mode:
        raise ValueError("This RunConfig sets no distribute coordinator mode.")

    def train(strategy: Any) -> None:
        task = _current_task()
        # A client runs one thread per worker, and hooks would log once in each thread.
        hooks = train_spec.hooks if mode == _INDEPENDENT_WORKER or task.is_chief else ()
        _for_this_task(estimator, _TRAIN, strategy).train(
            input_fn=train_spec.input_fn, max_steps=train_spec.max_steps, hooks=list(hooks)
        )

    def follow_checkpoints(strategy: Any) -> None:
        local = _for_this_task(estimator, _EVAL, strategy)
        executor_cls(local, train_spec, eval_spec)._start_continuous_evaluation()

    distribute_coordinator.run_distribute_coordinator(
        train,
        config.train_distribute,
        follow_checkpoints,
        config.eval_distribute,
        mode=mode,
        # The coordinator reads an independent worker's cluster and task from TF_CONFIG.
        cluster_spec=config.cluster_spec if mode == _STANDALONE_CLIENT else None,
        session_config=config.session_config,
    )


def estimator_train(
    estimator: Any, train_distributed_fn: Callable[[Any, Any, Sequence[Any]], Any], hooks: Any
) -> Any:
    """``Estimator.train`` as a client of a remote cluster.

    Args:
        estimator: the ``Estimator``.
        train_distributed_fn: trains; called with (estimator of this task, strategy, hooks).
        hooks: the caller's hooks; only the chief runs them.

    Returns:
        The copy of ``estimator`` that was trained.

    Raises:
        ValueError: in a cluster of independent workers, or for a strategy that runs every worker's
            copy of the model in its own graph.
    """

    def work(local: Any, strategy: Any, own_hooks: Sequence[Any]) -> Any:
        train_distributed_fn(local, strategy, own_hooks)
        return local

    return _run_as_client(estimator, _TRAIN, work, hooks)


def estimator_evaluate(
    estimator: Any, evaluate_distributed_fn: Callable[[Any, Any, Sequence[Any]], Any], hooks: Any
) -> Any:
    """``Estimator.evaluate`` as a client of a remote cluster.

    Args:
        estimator: the ``Estimator``.
        evaluate_distributed_fn: evaluates; called with (estimator of this task, strategy, hooks).
        hooks: the caller's hooks; only the chief runs them.

    Returns:
        The result of ``evaluate_distributed_fn``: the metrics.

    Raises:
        ValueError: as for ``estimator_train``.
    """
    return _run_as_client(estimator, _EVAL, evaluate_distributed_fn, hooks)


def run_alone(
    estimator: Any, purpose: str, work: Callable[[Any, Any, Any], Any], hooks: Any
) -> Any:
    """``Estimator.train`` or ``.evaluate`` (the purpose) in a cluster of this task alone.

    Args:
        estimator: the ``Estimator``, created for the cluster that ``TF_CONFIG`` names.
        purpose: ``train`` or ``eval``.
        work: called with (estimator of this task, strategy, hooks).
        hooks: the caller's hooks.

    Returns:
        The result of ``work``.
    """
    return distribute_coordinator.run_distribute_coordinator(
        lambda strategy: work(_for_this_task(estimator, purpose, strategy), strategy, hooks),
        getattr(estimator.config, f"_{purpose}_distribute"),
        mode=_INDEPENDENT_WORKER,
        session_config=estimator.config.session_config,
    )


def _run_as_client(
    estimator: Any, purpose: str, work: Callable[[Any, Any, Sequence[Any]], Any], hooks: Any
) -> Any:
    config = estimator._config
    strategy = getattr(config, f"_{purpose}_distribute")
    cluster = normalize_cluster_spec(config.cluster_spec)
    _require_client(config, purpose, strategy, cluster)

    def run(task_strategy: Any) -> Any:
        own_hooks = hooks if _current_task().is_chief else []
        return work(_for_this_task(estimator, purpose, task_strategy), task_strategy, own_hooks)

    return distribute_coordinator.run_distribute_coordinator(
        run,
        strategy,
        mode=config._distribute_coordinator_mode,
        cluster_spec=cluster,
        session_config=config.session_config,
    )


def _require_client(config: Any, purpose: str, strategy: Any, cluster: Any) -> None:
    verb = {_TRAIN: "train", _EVAL: "evaluate"}[purpose]
    if EVALUATOR in cluster.jobs:
        raise ValueError(
            f"Estimator.{verb} cannot use a cluster with an 'evaluator' job: "
            "call tf.estimator.train_and_evaluate."
        )
    if config._distribute_coordinator_mode != _STANDALONE_CLIENT:
        raise ValueError(
            f"Estimator.{verb} cannot run on a cluster given by TF_CONFIG: "
            "call tf.estimator.train_and_evaluate."
        )
    if strategy.extended.experimental_between_graph:
        raise ValueError(
            f"Estimator.{verb} as a client of a remote cluster is not possible under "
            f"{type(strategy).__name__}, which builds one graph per worker: "
            "call tf.estimator.train_and_evaluate."
        )


def _current_task() -> Any:
    """The coordinator's information about the task that it is calling."""
    return distribute_coordinator_context.get_current_worker_context()


def _for_this_task(estimator: Any, purpose: str, strategy: Any) -> Any:
    """A copy of ``estimator`` that knows its task and no longer asks the coordinator."""
    local = copy.deepcopy(estimator)
    config = local._config
    setattr(config, f"_{purpose}_distribute", strategy)
    setattr(local, f"_{purpose}_distribution", strategy)
    _set_task(config, _current_task())
    config._distribute_coordinator_mode = None
    logging.info("Estimator of this task: %s", vars(config))
    return local


def _set_task(config: Any, task: Any) -> None:
    """Fill in the part of a ``RunConfig`` that says which task of which cluster this is."""
    config._service = None
    config._task_type = task.task_type
    config._task_id = task.task_id
    config._master = task.master_target
    config._evaluation_master = task.master_target
    config._is_chief = task.is_chief
    config._cluster_spec = task.cluster_spec
    config._num_ps_replicas = 0
    if not task.cluster_spec:
        config._num_worker_replicas = 1
        config._global_id_in_cluster = 0
    elif task.task_type == EVALUATOR:
        # The evaluator works alone, and must not see the other tasks.
        config._cluster_spec = ClusterSpec({})
        config._num_worker_replicas = 0
        config._global_id_in_cluster = None
    else:
        tasks = {job: len(task.cluster_spec.job_tasks(job)) for job in task.cluster_spec.jobs}
        config._num_ps_replicas = tasks.get(PS, 0)
        config._num_worker_replicas = tasks.get(WORKER, 0) + tasks.get(CHIEF, 0)
        config._global_id_in_cluster = _global_id(tasks, task.task_type, task.task_id)


def _global_id(tasks: dict[str, int], task_type: str | None, task_id: int | None) -> int:
    """The task's number in the cluster: chief first, then other jobs by name, ``ps`` last.

    ``RunConfig.global_id_in_cluster`` documents this order. Without a task type, one
    graph spans the cluster, and the only number is 0.
    """
    if task_type is None:
        return 0
    order = sorted(tasks, key=lambda job: (job == PS, job != CHIEF, job))
    return sum(tasks[job] for job in order[: order.index(task_type)]) + (task_id or 0)

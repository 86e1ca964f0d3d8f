"""Let Estimators treat a cluster of one worker as no cluster."""

from __future__ import annotations

import functools
from collections.abc import Iterator, Mapping
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported


def allow_one_worker() -> None:
    """Let an Estimator behave in a cluster of one worker as it does without a cluster.

    Otherwise, the Estimator requires a chief as soon as there is a cluster, and makes a
    single-machine strategy span the cluster. A MultiWorkerMirroredStrategy has already joined the
    cluster, so the cluster is kept with it. In a cluster, the Estimator would reject ``train`` and
    ``evaluate``, because several workers could end up waiting for each other; a single worker is
    allowed to call them.
    """
    when_imported("tensorflow_estimator.python.estimator.run_config", _take_one_worker_for_none)
    when_imported("tensorflow.python.distribute.estimator_training", _let_one_worker_train)


def _take_one_worker_for_none(run_config: ModuleType) -> None:
    kind = run_config.RunConfig
    original = kind._init_distributed_setting_from_environment_var

    @functools.wraps(original)
    def fill(self: Any, tf_config: dict[str, Any]) -> None:
        original(self, _without_one_worker(tf_config))

    kind._init_distributed_setting_from_environment_var = fill


def _let_one_worker_train(training: Any) -> None:
    original = training.init_run_config

    @functools.wraps(original)
    def fill(config: Any, tf_config: dict[str, Any]) -> None:
        joined = any(map(_has_joined, _strategies(config)))
        original(config, tf_config if joined else _without_one_worker(tf_config))

    training.init_run_config = fill
    training.estimator_train = _alone_or(training.estimator_train, "train")
    training.estimator_evaluate = _alone_or(training.estimator_evaluate, "eval")


def _alone_or(original: Any, purpose: str) -> Any:
    @functools.wraps(original)
    def run(estimator: Any, work: Any, hooks: Any) -> Any:
        from tensorflow.python.training.server_lib import ClusterSpec

        from mwtutor.bridges.estimator import estimator_training as ours

        config = estimator.config
        strategy = getattr(config, f"_{purpose}_distribute")
        # A remote cluster may be given as a dictionary.
        cluster = ClusterSpec(config.cluster_spec).as_dict()
        if _is_one_worker(cluster) and _has_joined(strategy):
            return ours.run_alone(estimator, purpose, work, hooks)
        return original(estimator, work, hooks)

    return run


def _strategies(config: Any) -> Iterator[Any]:
    for place in (config, config._experimental_distribute):
        for name in ("train_distribute", "eval_distribute"):
            yield getattr(place, f"_{name}" if place is config else name, None)


def _has_joined(strategy: Any) -> bool:
    return type(getattr(strategy, "extended", None)).__name__ == "CollectiveAllReduceExtended"


def _without_one_worker(tf_config: dict[str, Any]) -> dict[str, Any]:
    left_out = {"cluster", "task"} if _is_one_worker(tf_config.get("cluster") or {}) else set()
    return {name: part for name, part in tf_config.items() if name not in left_out}


def _is_one_worker(cluster: Mapping[str, Any]) -> bool:
    return list(cluster) == ["worker"] and len(cluster["worker"]) == 1

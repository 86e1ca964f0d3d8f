"""One task of an Estimator cluster: ``estimator_cluster.py CASE``; TF_CONFIG says which task.

Each task writes the losses that it saw to ``CASE.<job>-<index>.json``, step by step.
"""

from __future__ import annotations

import functools
import json
import os
import sys
import time
from pathlib import Path

import tensorflow as tf
from estimator_model import (
    BATCH,
    RecordLoss,
    input_fn,
    model_fn,
    regression_input_fn,
    serving_input_fn,
    wave,
    write,
)

STEPS, FIRST_CHECKPOINT = 20, 10
OUT = Path.cwd()


class WaitFor(tf.compat.v1.train.SessionRunHook):
    """Pauses this task before its ``step``-th step until another task has left its mark."""

    def __init__(self, step: int, mark: Path) -> None:
        self.left, self.mark = step, mark

    def before_run(self, run_context):
        self.left -= 1
        while self.left == 0 and not self.mark.exists():
            time.sleep(0.05)


class Mark(tf.compat.v1.train.SessionRunHook):
    """Leaves a mark when the first session that runs this hook has done its work."""

    def __init__(self, mark: Path) -> None:
        self.mark = mark

    def end(self, session) -> None:
        self.mark.touch()


class MarkStep(Mark):
    def after_run(self, run_context, run_values) -> None:
        self.mark.touch()


def regression_fn(features, mode):
    """Least squares with an exact solution: every order of updates gives the same result."""
    w = tf.compat.v1.get_variable("w", [8, 1], initializer=tf.compat.v1.zeros_initializer())
    target = features["x"] @ wave(8, 1)
    loss = tf.reduce_mean(tf.square(features["x"] @ w - target))
    optimizer = tf.compat.v1.train.GradientDescentOptimizer(0.3)
    train_op = optimizer.minimize(loss, tf.compat.v1.train.get_global_step())
    return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train_op)


def strategy_of(case: str):
    if case == "multi_worker":
        return tf.distribute.MultiWorkerMirroredStrategy()
    if case == "chief_ps_strategy":
        return tf.compat.v1.distribute.experimental.ParameterServerStrategy()
    return None


def main() -> None:
    case = sys.argv[1]
    tf.compat.v1.disable_eager_execution()  # otherwise, an evaluator cannot copy a strategy
    tf_config = json.loads(os.environ["TF_CONFIG"])
    task, jobs = tf_config["task"], tf_config["cluster"]
    name = f"{task['type']}-{task['index']}"
    first = name == "chief-0" or ("chief" not in jobs and name == "worker-0")
    record = RecordLoss()
    hooks: list[tf.compat.v1.train.SessionRunHook] = [record]
    if first and "evaluator" in jobs:
        hooks.append(WaitFor(FIRST_CHECKPOINT + 1, OUT / "evaluated"))
    if case == "async" and task["type"] == "chief":
        hooks.append(WaitFor(10, OUT / "worker-stepped"))
    if case == "async" and task["type"] == "worker":
        hooks.append(MarkStep(OUT / "worker-stepped"))
    config = tf.estimator.RunConfig(
        model_dir=str(OUT / "model"),
        train_distribute=strategy_of(case),
        save_checkpoints_steps=FIRST_CHECKPOINT if case != "async" else 1000,
        log_step_count_steps=5,
        experimental_max_worker_delay_secs=0,
    )
    steps = STEPS if case != "async" else 150
    estimator = tf.estimator.Estimator(
        model_fn if case != "async" else regression_fn,
        config=config,
        params={} if case != "async" else None,
    )
    batch = BATCH // 2 if case == "multi_worker" else BATCH
    inputs = functools.partial(input_fn, batch) if case != "async" else regression_input_fn
    tf.estimator.train_and_evaluate(
        estimator,
        tf.estimator.TrainSpec(inputs, max_steps=steps, hooks=hooks),
        tf.estimator.EvalSpec(
            functools.partial(input_fn, BATCH, 1) if case != "async" else regression_input_fn,
            steps=None,
            hooks=[Mark(OUT / "evaluated")],
            exporters=[tf.estimator.FinalExporter("final", serving_input_fn)]
            if case != "async"
            else [],
            start_delay_secs=0,
            throttle_secs=1,
        ),
    )
    result: dict[str, object] = {"losses": record.losses, "tensorflow": tf.__version__}
    if case == "async" and first:
        result["weights"] = estimator.get_variable_value("w").ravel().tolist()
    write(OUT / f"{case}.{name}.json", result)


if __name__ == "__main__":
    main()

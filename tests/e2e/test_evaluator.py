"""An Estimator's evaluator, and its parameter servers, after the chief has ended."""

from __future__ import annotations

import re

import pytest

from mwtutor.cluster import TaskId

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow, pytest.mark.full]

PROGRAM = """
    import json, os
    import tensorflow as tf

    tf.get_logger().setLevel("INFO")
    KIND = json.loads(os.environ["TF_CONFIG"])["task"]["type"]

    def data():
        return tf.data.Dataset.from_tensors(({"x": [[1.0]]}, [[2.0]])).repeat(40)

    def model(features, labels, mode):
        v1 = tf.compat.v1
        weight = v1.get_variable("weight", initializer=0.0)
        loss = v1.losses.mean_squared_error(labels, weight * features["x"])
        step = v1.train.get_or_create_global_step()
        train = v1.train.GradientDescentOptimizer(0.1).minimize(loss, global_step=step)
        return tf.estimator.EstimatorSpec(mode, loss=loss, train_op=train)

    estimator = tf.estimator.Estimator(model, "model")
    evaluate = tf.estimator.EvalSpec(data, steps=1)  # after 120 s, and then each 600 s
    tf.estimator.train_and_evaluate(estimator, tf.estimator.TrainSpec(data), evaluate)
    if KIND == "worker":
        print("the worker has done all of its steps")
"""


def test_the_last_checkpoint_is_evaluated_as_soon_as_training_has_ended(launch, write):
    write("main.py", PROGRAM)
    run = launch("main.py", 1, chief=True, ps=1, evaluator=True)
    assert run.wait(timeout=60).reason == ""
    state = run.state
    assert {task.status.value for task in state.tasks.values()} == {"succeeded"}
    assert state.tasks[TaskId("evaluator", 0)].exit == 0
    log = run.spec.log(TaskId("evaluator", 0)).read_text()
    steps = re.findall(r"Saving dict for global step (\d+)", log)
    assert len(steps) == 1
    assert int(steps[0]) >= 40
    assert "has done all of its steps" in run.spec.log(TaskId("worker", 0)).read_text()

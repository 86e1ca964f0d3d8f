"""Which workers another strategy waits for."""

from __future__ import annotations

from types import SimpleNamespace

from mwtutor.cluster import TaskId
from mwtutor.worker.patches import another_strategy


def test_whoever_trains_is_waited_for_and_nobody_else():
    jobs = {"ps": [0], "worker": [0, 1], "chief": [0], "evaluator": [0]}
    spec = SimpleNamespace(jobs=list(jobs), task_indices=jobs.__getitem__)
    waited_for = [str(task) for task in another_strategy._workers(spec)]
    assert waited_for == ["chief:0", "worker:0", "worker:1"]


def test_a_task_that_does_not_train_waits_for_nobody():
    another_strategy._meet(None, TaskId("evaluator", 0), [TaskId("worker", 0)], 1)

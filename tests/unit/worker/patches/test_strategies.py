"""Which workers a strategy waits for, and which devices are a process's own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.worker.patches import strategies


def test_whoever_trains_is_waited_for_and_nobody_else():
    jobs = {"ps": [0], "worker": [0, 1], "chief": [0], "evaluator": [0]}
    spec = SimpleNamespace(jobs=list(jobs), task_indices=jobs.__getitem__)
    assert [str(task) for task in strategies._workers(spec)] == ["chief:0", "worker:0", "worker:1"]


def test_a_task_that_does_not_train_waits_for_nobody():
    strategies._meet(None, TaskId("evaluator", 0), [TaskId("worker", 0)], 1)


class Spec:
    """A device, as in TensorFlow: ``/job:worker/task:1/CPU:0``, or ``/CPU:0`` without a job."""

    def __init__(self, name: str) -> None:
        parts = dict(part.split(":") for part in name.strip("/").split("/"))
        self.job = parts.get("job")
        self.task = int(parts["task"]) if "task" in parts else None


def tensorflow(devices, server=None, collective=None):
    context = SimpleNamespace(_server_def=server, _collective_ops_server_def=collective)
    return SimpleNamespace(
        config=SimpleNamespace(
            list_logical_devices=lambda kind: [
                SimpleNamespace(name=name) for name in devices if f"/{kind}:" in name
            ]
        ),
        context=SimpleNamespace(context=lambda: context),
        tf_device=SimpleNamespace(DeviceSpec=SimpleNamespace(from_string=Spec)),
        all_local_devices=lambda num_gpus=None: [],
    )


WORKER_1 = SimpleNamespace(job_name="worker", task_index=1)
EVERYWHERE = ["/job:worker/task:0/CPU:0", "/job:worker/task:1/CPU:0", "/job:chief/task:1/CPU:0"]


@pytest.mark.parametrize("kind", ["server", "collective"])
def test_devices_of_other_tasks_are_left_out(kind):
    own = strategies._own_devices(tensorflow(EVERYWHERE, **{kind: WORKER_1}), "CPU")
    assert [device.name for device in own] == ["/job:worker/task:1/CPU:0"]


@pytest.mark.parametrize("server", [None, WORKER_1])
def test_devices_without_a_job_are_the_processs_own(server):
    own = strategies._own_devices(tensorflow(["/CPU:0", "/CPU:1"], server), "CPU")
    assert [device.name for device in own] == ["/CPU:0", "/CPU:1"]


@pytest.mark.parametrize(
    ("devices", "gpus", "found"),
    [
        (["/CPU:0"], None, ["/CPU:0"]),
        (["/CPU:0", "/GPU:0", "/GPU:1"], None, ["/GPU:0", "/GPU:1"]),
        (["/CPU:0", "/GPU:0", "/GPU:1"], 1, ["/GPU:0"]),
        (["/CPU:0", "/GPU:0"], 0, ["/CPU:0"]),
    ],
)
def test_gpus_are_taken_first_and_no_more_than_asked_for(devices, gpus, found):
    module = tensorflow(devices)
    strategies._list_own_devices(module)
    assert [device.name for device in module.all_local_devices(gpus)] == found

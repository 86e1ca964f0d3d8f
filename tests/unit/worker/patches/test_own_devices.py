"""Which devices are a process's own."""

from __future__ import annotations

from types import SimpleNamespace

import pytest

from mwtutor.worker.patches import own_devices


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
    own = own_devices._own_devices(tensorflow(EVERYWHERE, **{kind: WORKER_1}), "CPU")
    assert [device.name for device in own] == ["/job:worker/task:1/CPU:0"]


@pytest.mark.parametrize("server", [None, WORKER_1])
def test_devices_without_a_job_are_the_processs_own(server):
    own = own_devices._own_devices(tensorflow(["/CPU:0", "/CPU:1"], server), "CPU")
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
    own_devices._list_own_devices(module)
    assert [device.name for device in module.all_local_devices(gpus)] == found

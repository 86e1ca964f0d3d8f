"""``MirroredStrategy`` in a process that has joined a cluster.

Without a list of devices, it uses all devices that TensorFlow lists, even other workers' devices,
and the process crashes. Here it uses the devices of its own machine.
"""

from __future__ import annotations

import functools
from types import ModuleType
from typing import Any

from mwtutor.system.importhook import when_imported


def install() -> None:
    """Let the strategy use its own devices, as soon as this process imports the module."""
    when_imported("tensorflow.python.distribute.mirrored_strategy", _list_own_devices)


def _list_own_devices(module: ModuleType) -> None:
    def all_local_devices(num_gpus: int | None = None) -> list[Any]:
        return _own_devices(module, "GPU")[:num_gpus] or _own_devices(module, "CPU")

    module.all_local_devices = functools.wraps(module.all_local_devices)(all_local_devices)  # type: ignore[attr-defined]


def _own_devices(module: ModuleType, kind: str) -> list[Any]:
    listed: list[Any] = module.config.list_logical_devices(kind)
    context = module.context.context()
    server = context._server_def or context._collective_ops_server_def
    if server is None:
        return listed
    own = (server.job_name, server.task_index)
    specs = [(module.tf_device.DeviceSpec.from_string(device.name), device) for device in listed]
    # Before the process joins a cluster, its devices have no job.
    return [device for spec, device in specs if spec.job is None or (spec.job, spec.task) == own]

"""Recorded answers of NVML, and an object that returns them as ``pynvml`` does.

The answers follow NVML's documentation and the output of ``nvidia-smi -L``, in the shapes that
``nvidia-ml-py`` returns; no card was available to record them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pynvml

from mwtutor.devices import gpus


def machine(name: str) -> gpus.Survey:
    """What :func:`mwtutor.devices.gpus.find` finds on a machine with these answers."""
    return gpus.survey(Recorded(name))


@dataclass
class _Handle:
    answers: dict[str, Any]


class Recorded:
    """Answers from ``<name>.json``; missing ones raise the real library's error."""

    NVMLError = pynvml.NVMLError

    def __init__(self, name: str) -> None:
        self._answers = json.loads((Path(__file__).parent / f"{name}.json").read_text())

    def nvmlInit(self) -> None:
        if "error" in self._answers:
            raise pynvml.NVMLError(self._answers["error"])

    def nvmlShutdown(self) -> None: ...

    def nvmlSystemGetDriverVersion(self) -> str:
        return self._answers["driver"]

    def nvmlSystemGetCudaDriverVersion_v2(self) -> int:
        return self._answers["cuda"]

    def nvmlDeviceGetCount(self) -> int:
        return len(self._answers["gpus"])

    def nvmlDeviceGetHandleByIndex(self, index: int) -> _Handle:
        return _Handle(self._answers["gpus"][index])

    def nvmlDeviceGetUUID(self, handle: _Handle) -> str:
        return handle.answers["uuid"]

    def nvmlDeviceGetName(self, handle: _Handle) -> str:
        return handle.answers["name"]

    def nvmlDeviceGetMemoryInfo(self, handle: _Handle) -> SimpleNamespace:
        if "memory" not in handle.answers:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
        return SimpleNamespace(total=handle.answers["memory"])

    def nvmlDeviceGetMigMode(self, handle: _Handle) -> list[int]:
        if "parts" not in handle.answers:
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_SUPPORTED)
        return [1, 1]

    def nvmlDeviceGetMaxMigDeviceCount(self, handle: _Handle) -> int:
        return 7

    def nvmlDeviceGetMigDeviceHandleByIndex(self, handle: _Handle, index: int) -> _Handle:
        if index >= len(handle.answers["parts"]):
            raise pynvml.NVMLError(pynvml.NVML_ERROR_NOT_FOUND)
        return _Handle(handle.answers["parts"][index])

    def nvmlDeviceGetGpuInstanceId(self, handle: _Handle) -> int:
        return handle.answers["instance"][0]

    def nvmlDeviceGetComputeInstanceId(self, handle: _Handle) -> int:
        return handle.answers["instance"][1]

"""List this machine's NVIDIA GPUs without TensorFlow and without initializing CUDA.

The list comes from the driver's management library (NVML), through `nvidia-ml-py`. No function here
opens a CUDA context, so the calling process can still be forked, and uses no GPU memory.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from mwtutor.sanitize import whole_number

#: The variable that says which devices CUDA may use.
VISIBLE = "CUDA_VISIBLE_DEVICES"


@dataclass(frozen=True)
class Device:
    """A device that ``CUDA_VISIBLE_DEVICES`` can name: a whole GPU, or a MIG instance.

    Attributes:
        id: its name in that variable, for example ``GPU-5a1e…`` or ``MIG-77c0…``.
        name: the manufacturer's name for it.
        memory: its memory in bytes.
        card: the UUID of this GPU, or of the GPU that contains this instance.
        instance: GPU instance and compute instance, as in ``1/0``; empty for a whole GPU.
    """

    id: str
    name: str
    memory: int
    card: str
    instance: str = ""

    @property
    def is_part(self) -> bool:
        return bool(self.instance)

    @property
    def hardware(self) -> tuple[str, str]:
        """Identifies the device, whichever name is used for it."""
        return self.card, self.instance


@dataclass(frozen=True)
class Gpu:
    """One physical GPU.

    Attributes:
        whole: the GPU as a device.
        mig: whether it is divided; then only its parts can be used.
        parts: its MIG instances.
    """

    whole: Device
    mig: bool = False
    parts: tuple[Device, ...] = ()

    @property
    def devices(self) -> tuple[Device, ...]:
        return self.parts if self.mig else (self.whole,)


@dataclass(frozen=True)
class Survey:
    """The driver's report.

    Attributes:
        gpus: in the order of the PCI bus.
        driver: the driver's version; empty without one.
        cuda: the newest CUDA that the driver supports, for example ``12.4``.
        problem: a clause that says why nothing could be listed; empty if it could.
        remedy: a sentence on how to solve the problem.
    """

    gpus: tuple[Gpu, ...] = ()
    driver: str = ""
    cuda: str = ""
    problem: str = ""
    remedy: str = ""

    @property
    def devices(self) -> tuple[Device, ...]:
        return tuple(device for gpu in self.gpus for device in gpu.devices)

    def visible(self, setting: str | None) -> tuple[Device, ...]:
        """The devices visible under a value of ``CUDA_VISIBLE_DEVICES``, by their names in it.

        The value is read as CUDA reads it (CUDA C++ Programming Guide, environment variables): it
        lists indices, UUIDs or their prefixes, or ``MIG-`` names, and ends at the first entry that
        names no device. Indices are kept unchanged, because CUDA may count in a different order
        from the driver.

        Args:
            setting: the value; None if the variable is not set, so that all devices are visible.
        """
        if setting is None:
            return self.devices
        found: dict[str, Device] = {}
        for word in map(str.strip, setting.split(",")):
            device = self._named(word)
            if device is None:
                break
            found.setdefault(device.id, replace(device, id=word))
        return tuple(found.values())

    def _named(self, word: str) -> Device | None:
        if (number := whole_number(word)) is not None:
            numbered = self.gpus[number].devices if number < len(self.gpus) else ()
            return numbered[0] if numbered else None
        if old := re.fullmatch(r"MIG-(GPU-[^/]+)/(\d+/\d+)", word):  # drivers before 470
            matches = [d for d in self.devices if (d.card, d.instance) == old.groups()]
        elif word.startswith(("GPU-", "MIG-")):
            matches = [device for device in self.devices if device.id.startswith(word)]
        else:
            matches = []
        return matches[0] if len(matches) == 1 else None


def find() -> Survey:
    """Ask the driver of this machine. If there is none, the survey says so; there is no error."""
    try:
        import pynvml
    except ImportError:
        return Survey(
            problem="nvidia-ml-py is not installed",
            remedy="Install it where the notebook runs: pip install nvidia-ml-py",
        )
    return survey(pynvml)


def survey(nvml: Any) -> Survey:
    """Like :func:`find`, with the given ``pynvml``, or an object with the same interface."""
    try:
        nvml.nvmlInit()
    except nvml.NVMLError as error:
        return Survey(problem=_clause(error), remedy=_REMEDIES.get(_kind(error), _OTHERWISE))
    try:
        count = range(nvml.nvmlDeviceGetCount())
        return Survey(
            tuple(_gpu(nvml, nvml.nvmlDeviceGetHandleByIndex(index)) for index in count),
            driver=_text(nvml.nvmlSystemGetDriverVersion()),
            cuda=_cuda(nvml.nvmlSystemGetCudaDriverVersion_v2()),
        )
    except nvml.NVMLError as error:
        return Survey(problem=_clause(error), remedy=_OTHERWISE)
    finally:
        nvml.nvmlShutdown()


_OTHERWISE = "Check what nvidia-smi reports; the driver may need to be reinstalled."
_REMEDIES = {
    "NVMLError_LibraryNotFound": "If there is no NVIDIA GPU, there is nothing to do; if there is "
    "one, install its driver (start a container with --gpus all).",
    "NVMLError_DriverNotLoaded": "Load the driver, or, if it was updated, restart the machine.",
    "NVMLError_NoPermission": "Ask for access to /dev/nvidia*.",
}


def _kind(error: Exception) -> str:
    return type(error).__name__


def _clause(error: Exception) -> str:
    if _kind(error) == "NVMLError_LibraryNotFound":
        return "there is no NVIDIA driver"
    return f"the NVIDIA driver does not answer ({error})"


def _gpu(nvml: Any, handle: Any) -> Gpu:
    whole = _device(nvml, handle)
    try:
        mig = bool(nvml.nvmlDeviceGetMigMode(handle)[0])
    except nvml.NVMLError:  # a card that cannot be divided
        mig = False
    return Gpu(whole, mig, tuple(_parts(nvml, handle, whole.card)) if mig else ())


def _parts(nvml: Any, handle: Any, card: str) -> Sequence[Device]:
    parts = []
    for index in range(nvml.nvmlDeviceGetMaxMigDeviceCount(handle)):
        try:
            part = nvml.nvmlDeviceGetMigDeviceHandleByIndex(handle, index)
        except nvml.NVMLError:  # an instance that is possible, but was not created
            continue
        instance = nvml.nvmlDeviceGetGpuInstanceId(part), nvml.nvmlDeviceGetComputeInstanceId(part)
        parts.append(_device(nvml, part, card, "/".join(map(str, instance))))
    return parts


def _device(nvml: Any, handle: Any, card: str = "", instance: str = "") -> Device:
    uuid = _text(nvml.nvmlDeviceGetUUID(handle))
    name = _text(nvml.nvmlDeviceGetName(handle))
    try:
        memory = int(nvml.nvmlDeviceGetMemoryInfo(handle).total)
    except nvml.NVMLError:  # memory that is shared with the processor has no separate size
        memory = 0
    return Device(uuid, name, memory, card or uuid, instance)


def _text(answer: str | bytes) -> str:
    return answer.decode() if isinstance(answer, bytes) else answer


def _cuda(version: int) -> str:
    return f"{version // 1000}.{version % 1000 // 10}"

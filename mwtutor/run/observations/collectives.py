"""How gradients are summed over the workers: the requested, possible and actual way.

TensorFlow has two implementations of its collectives: RING, its own, over gRPC connections, and
NCCL, NVIDIA's, between GPUs. If a program asks for NCCL where it cannot work, TensorFlow hangs, or
falls back to RING and says so only in a log line. So a launch checks first. Later statements rely
on the run itself: on the collective operations that its program built, and on NCCL's own log.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.devices.gpus import VISIBLE
from mwtutor.devices.placement import NO_DEVICE, Placement
from mwtutor.exceptions import BadInput
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.request.options import CommChoice
from mwtutor.system.files import open_file
from mwtutor.worker.patches.communication import CHOICE_ENV

#: The variables that make NCCL write a log, and that name its file.
_DEBUG, _DEBUG_FILE = "NCCL_DEBUG", "NCCL_DEBUG_FILE"

#: The network interface on which NCCL meets its peers. By default it avoids the loopback interface.
_INTERFACE = "NCCL_SOCKET_IFNAME"

_COMPLETE = re.compile(r"NCCL INFO .*\bnranks (\d+)\b.* - Init COMPLETE")


def check(choice: CommChoice, placement: Placement) -> None:
    """Raise :class:`BadInput` if NCCL was requested and cannot work."""
    if choice != "nccl":
        return
    training = placement.training()
    if placement.mixed:
        on_cpu = [str(task) for task, share in training.items() if not share]
        raise BadInput(
            f"NCCL connects GPUs, but {', '.join(on_cpu)} would have none.",
            "Give every worker a GPU, or use --comm ring, which works with any mixture of devices.",
        )
    if not any(training.values()):
        raise BadInput(
            f"NCCL connects GPUs, but this run would be {placement.words}.",
            "Use --comm ring: TensorFlow would silently fall back to it anyway.",
        )
    if placement.one_card:
        raise BadInput(
            "NCCL cannot connect two workers on one GPU: it would stop with an error, or hang.",
            "Use --comm ring with shared GPUs, or start no more workers than there are GPUs.",
        )


def env(
    choice: CommChoice,
    placement: Placement,
    task: TaskId,
    log: Path,
    given: Mapping[str, str],
    interface: str = "lo",
) -> dict[str, str]:
    """The environment of a task: the choice, and for NCCL its network interface and its log.

    Args:
        choice: the requested implementation.
        placement: the GPUs of each task.
        task: the task that gets the environment.
        log: the task's log; NCCL's log is next to it.
        given: the environment so far; its NCCL settings are kept.
        interface: the network interface over which the tasks reach each other.
    """
    if not task.trains:
        return {}
    # Workers on one card cannot use NCCL, so TensorFlow does not get to choose.
    settled = "ring" if choice == "auto" and placement.one_card else choice
    told: dict[str, str] = {} if settled == "auto" else {CHOICE_ENV: settled}
    if not placement.devices.get(task):
        return told
    if _INTERFACE not in given:
        told[_INTERFACE] = interface
    if _DEBUG not in given and _DEBUG_FILE not in given:
        path = str(nccl_log(log)).replace("%", "%%")  # NCCL expands %h to the host, %p to the pid
        told.update({_DEBUG: "INFO", _DEBUG_FILE: path})
    return told


def nccl_log(log: Path) -> Path:
    return log.with_suffix(".nccl")


@dataclass(frozen=True)
class Collectives:
    """What is known about a run's collectives.

    Attributes:
        wanted: ``AUTO``, ``RING`` or ``NCCL``, as the strategy requests it; empty without a
            strategy.
        by: the source of that choice: ``--comm``, ``the program``, or ``TensorFlow`` by default.
        ran: ``RING`` or ``NCCL`` when the run shows it; empty before a collective was built, for a
            single worker, and where the evidence is insufficient.
        devices: the kinds of devices that reduce gradients, ``CPU`` or ``GPU``; both if only some
            workers have a GPU.
        nccl_ranks: the number of GPUs that NCCL connected, according to its log; 0 if unknown.
    """

    wanted: str = ""
    by: str = ""
    ran: str = ""
    devices: tuple[str, ...] = ()
    nccl_ranks: int = 0


def read(spec: RunSpec, state: RunState) -> Collectives:
    """Read what the run shows so far."""
    told = {name: task.communication for name, task in state.tasks.items() if task.communication}
    strategy: Mapping[str, Any] = next((seen for seen in told.values() if seen.get("wanted")), {})
    reductions = [_reductions(seen.get("operations", ())) for seen in told.values()]
    reductions = [found for found in reductions if found]
    ranks = max((_nccl_ranks(nccl_log(spec.log(task))) for task in told), default=0)
    watched = all(_DEBUG_FILE in spec.task_env.get(str(task), {}) for task in told)
    all_of_them = ranks > 1 and ranks == len(_devices(spec))
    return Collectives(
        wanted=str(strategy.get("wanted", "")).upper(),
        by=str(strategy.get("by", "")),
        ran=_ran(reductions, all_of_them, watched),
        devices=tuple(sorted({device for found in reductions for _, device in found})),
        nccl_ranks=ranks,
    )


def _reductions(operations: Iterable[Mapping[str, Any]]) -> set[tuple[str, str]]:
    """The hints and devices of one task's all-reduces.

    If some are on GPUs, the few on the CPU do not count: they only serve to agree on how much data
    is left.
    """
    found = {
        (str(seen["hint"]), str(seen["device"]))
        for seen in operations
        if str(seen["op"]).startswith("all_reduce")
    }
    return {pair for pair in found if pair[1] == "GPU"} or found


def _ran(reductions: Sequence[set[tuple[str, str]]], connected: bool, watched: bool) -> str:
    """TensorFlow's rule: NCCL for collectives on GPUs that ask for NCCL, and RING on a CPU."""
    hints = {hint for found in reductions for hint, _ in found}
    if not hints:
        return ""
    if all(device == "CPU" for found in reductions for _, device in found) or hints == {"ring"}:
        return "RING"
    if connected:
        return "NCCL"
    return "RING" if watched and "nccl" not in hints else ""


def _nccl_ranks(log: Path) -> int:
    try:
        with open_file(log) as file:
            text = file.read().decode(errors="replace")
    except OSError:
        return 0
    return max((int(found[1]) for found in _COMPLETE.finditer(text)), default=0)


def words(spec: RunSpec, state: RunState) -> str:
    """The result of :func:`read` in a few words, for the status; may be empty."""
    seen = read(spec, state)
    if not seen.wanted:
        comm, ended = spec.request.comm, state.outcome is not None
        no_strategy = "the program created no MultiWorkerMirroredStrategy"
        return f"--comm {comm} was not applied: {no_strategy}" if ended and comm != "auto" else ""
    asked = _asked(spec, seen)
    if len(seen.devices) > 1:
        return f"collectives mix CPU and GPU, which is slow and may hang ({asked})"
    if seen.ran == "NCCL":
        return f"NCCL between {seen.nccl_ranks} GPUs ({asked})"
    if seen.ran and seen.wanted == "NCCL":
        on_cpu = ": TensorFlow has NCCL for GPUs only" if seen.devices == ("CPU",) else ""
        return f"RING, not NCCL ({asked}){on_cpu}"
    if seen.ran:
        return f"{seen.ran} ({asked})"
    if seen.wanted == "NCCL" and _share_a_device(spec):
        return f"NCCL cannot connect workers that share a GPU: it may fail or hang ({asked})"
    if seen.wanted == "NCCL" and seen.devices:
        return f"NCCL not confirmed: its log shows no connection ({asked})"
    return f"{seen.wanted} requested ({asked})" if seen.wanted != "AUTO" else ""


def _share_a_device(spec: RunSpec) -> bool:
    used = _devices(spec)
    return len(set(used)) < len(used)


def _devices(spec: RunSpec) -> list[str]:
    """The device of each replica, as assigned to its task."""
    training = [env for task, env in spec.task_env.items() if TaskId.parse(task).trains]
    given = [env.get(VISIBLE, NO_DEVICE).split(",") for env in training]
    return [device for devices in given for device in devices if device != NO_DEVICE]


def _asked(spec: RunSpec, seen: Collectives) -> str:
    if seen.by == "--comm" and spec.request.comm == "auto":
        return "because workers share a GPU"
    if seen.by == "--comm":
        return f"--comm {spec.request.comm}"
    if seen.by == "the program":
        comm = spec.request.comm
        ignored = f", --comm {comm} is ignored" if comm != "auto" else ""
        return f"the program asks for {seen.wanted}{ignored}"
    return "TensorFlow's choice"

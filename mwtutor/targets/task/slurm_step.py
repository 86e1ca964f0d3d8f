"""The tasks of a Slurm step, from the variables that ``srun`` gives to each of them."""

from __future__ import annotations

import re
import socket
import subprocess
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from mwtutor.exceptions import BadCluster
from mwtutor.sanitize import whole_number
from mwtutor.targets.task import hostlist

#: The first port of tasks, and the number of such ports; all are below the range that a system
#: assigns to clients.
_FIRST_PORT, _PORTS = 20_000, 12_000


@dataclass(frozen=True)
class Step:
    """One step, as one of its tasks sees it.

    Attributes:
        name: Slurm's name for it, for example ``step 7.0``.
        rank: the number of this task.
        addresses: the addresses of all its tasks, by number.
    """

    name: str
    rank: int
    addresses: tuple[str, ...]


def read(env: Mapping[str, str], port: int = 0) -> Step:
    """The step that the environment describes.

    Variables of the step take precedence over those of its job, which may have more nodes.

    Args:
        env: the environment of a task.
        port: the port of the first task on each machine; 0 uses the ports that Slurm has reserved,
            or else ports derived from the numbers of the job and the step.

    Raises:
        BadCluster: it describes no step, or an inconsistent one.
    """
    job, number = env.get("SLURM_JOB_ID", ""), env.get("SLURM_STEP_ID", "")
    if "SLURM_PROCID" not in env:
        raise BadCluster(
            f"This process is in Slurm's job {job}, but is not one of its tasks:"
            " SLURM_PROCID is not set.",
            "Start the tasks with srun: srun mwtutor exec main.py.",
        )
    rank = _whole(env, "SLURM_PROCID")
    tasks = _whole(env, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS", default=1)
    if not number and "SLURM_STEP_NODELIST" not in env and rank == 0 and tasks > 1:
        raise BadCluster(
            f"This is the script of Slurm's job {job}, which runs once, not as {tasks} tasks.",
            "Start the tasks in it with srun: srun mwtutor exec main.py.",
        )
    family = "SLURM_STEP_" if "SLURM_STEP_NODELIST" in env else "SLURM_"
    names = env.get(f"{family}NODELIST") or env.get("SLURM_JOB_NODELIST", "")
    hosts = hostlist.expand(names)
    per_host = hostlist.counts(env.get(f"{family}TASKS_PER_NODE") or f"{tasks}(x1)")
    home = homes(len(hosts), per_host, env.get("SLURM_DISTRIBUTION", ""))
    if len(home) != tasks or rank >= tasks:
        raise BadCluster(
            f"Slurm reports {tasks} tasks on {names}, but its counts for these nodes add up to"
            f" {len(home)}.",
            "Check SLURM_* in env; a step whose nodes have failed cannot restart.",
        )
    if env.get("SLURM_NODEID") and (own := _whole(env, "SLURM_NODEID")) != home[rank]:
        raise BadCluster(
            f"Task {rank} of Slurm's step is on node {own}, but was expected on node {home[rank]}.",
            "Use srun --distribution=block, or cyclic.",
        )
    name = f"step {job}.{number}" if number else f"job {job}"
    first = first_port(job, number, port)
    return Step(name, rank, addresses(reachable(hosts), home, first, _reserved(env, port)))


def addresses(
    hosts: Sequence[str], homes: Sequence[int], first: int, reserved: Sequence[int] = ()
) -> tuple[str, ...]:
    """The address of each task, by its number.

    Args:
        hosts: the nodes.
        homes: each task's node, by number.
        first: the port of the first task; the others get the next ones, because several nodes may
            be one machine.
        reserved: ports that are kept free on every node; used if there are enough for its tasks.
    """
    found = []
    beside = [0] * len(hosts)
    enough = max(map(list(homes).count, homes), default=0) <= len(reserved)
    for rank, home in enumerate(homes):
        port = reserved[beside[home]] if enough else first + rank
        found.append(f"{hosts[home]}:{port}")
        beside[home] += 1
    return tuple(found)


def homes(hosts: int, per_host: Sequence[int], distribution: str = "") -> list[int]:
    """Each task's node, as a number, in the order of the tasks."""
    if distribution.startswith("cyclic"):
        rounds = range(max(per_host, default=0))
        return [home for turn in rounds for home, count in enumerate(per_host) if turn < count]
    return [home for home, count in enumerate(per_host[:hosts]) for _ in range(count)]


def first_port(job: str, step: str, port: int = 0) -> int:
    """The first port of a step: the requested one, or one derived from its number."""
    numbers = [whole_number(text) or 0 for text in (job, step)]  # a step may be called "batch"
    return port or _FIRST_PORT + (numbers[0] * 97 + numbers[1] * 7919) % _PORTS


def reachable(hosts: Sequence[str]) -> list[str]:
    """The nodes' names that resolve here; for the others, the addresses that Slurm knows."""
    return [host if _resolves(host) else _address_in_slurm(host) or host for host in hosts]


def _resolves(host: str) -> bool:
    try:
        socket.getaddrinfo(host, None)
    except (OSError, UnicodeError):
        return False
    return True


def _address_in_slurm(host: str) -> str:
    try:
        told = subprocess.run(
            ["scontrol", "--oneliner", "show", "node", host],
            capture_output=True,
            text=True,
            timeout=30,
        )
    except (OSError, subprocess.SubprocessError):
        return ""
    found = re.search(r"\bNodeAddr=(\S+)", told.stdout)
    return found[1] if found else ""


def _reserved(env: Mapping[str, str], port: int) -> list[int]:
    text = env.get("SLURM_STEP_RESV_PORTS", "")
    if not text or port:
        return []
    ports = [whole_number(name) or 0 for name in hostlist.expand(f"[{text}]")]
    if not all(0 < one < 65536 for one in ports):
        raise BadCluster(
            f"SLURM_STEP_RESV_PORTS is {text!r}, not a list of ports.",
            "Start the tasks with srun, or choose a port: --port 23456.",
        )
    return ports


def _whole(env: Mapping[str, str], *names: str, default: int | None = None) -> int:
    """The number in the first of these variables that is set."""
    name = next((name for name in names if env.get(name)), names[0])
    if not env.get(name) and default is not None:
        return default
    number = whole_number(env.get(name, ""))
    if number is None:
        raise BadCluster(
            f"{name} is {env.get(name)!r}, not a whole number.", "Start the tasks with srun."
        )
    return number

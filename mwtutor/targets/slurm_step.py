"""The tasks of a Slurm step, from the variables that ``srun`` gives to each of them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from mwtutor.exceptions import BadCluster
from mwtutor.targets import hostlist

#: Ports of tasks: below those that a system gives to clients.
_FIRST_PORT, _PORTS = 20_000, 12_000


@dataclass(frozen=True)
class Step:
    """One step, as one of its tasks sees it.

    Attributes:
        name: how Slurm calls it, for example ``step 7.0``.
        rank: the number of this task.
        addresses: of all of its tasks, by their numbers.
    """

    name: str
    rank: int
    addresses: tuple[str, ...]


def read(env: Mapping[str, str], port: int = 0) -> Step:
    """The step that the environment describes.

    What is said of the step comes before what is said of its job, which may have more nodes.

    Args:
        env: the environment of a task.
        port: the first task's on each machine; 0 for those that Slurm has reserved, or else some
            that follow from the numbers of job and step.

    Raises:
        BadCluster: it describes no step, or one that is not understood.
    """
    job, number = env.get("SLURM_JOB_ID", ""), env.get("SLURM_STEP_ID", "")
    if "SLURM_PROCID" not in env:
        raise BadCluster(
            f"Slurm's job {job} is here, but none of its tasks: SLURM_PROCID is not set.",
            "Start the tasks with srun: srun mwtutor exec main.py.",
        )
    rank = _whole(env, "SLURM_PROCID")
    tasks = _whole(env, "SLURM_STEP_NUM_TASKS", "SLURM_NTASKS", "SLURM_NPROCS", default=1)
    if not number and "SLURM_STEP_NODELIST" not in env and rank == 0 and tasks > 1:
        raise BadCluster(
            f"This is the script of Slurm's job {job}, of which there is one and not {tasks}.",
            "Start the tasks in it with srun: srun mwtutor exec main.py.",
        )
    family = "SLURM_STEP_" if "SLURM_STEP_NODELIST" in env else "SLURM_"
    names = env.get(f"{family}NODELIST") or env.get("SLURM_JOB_NODELIST", "")
    hosts = hostlist.expand(names)
    per_host = hostlist.counts(env.get(f"{family}TASKS_PER_NODE") or f"{tasks}(x1)")
    homes = _homes(len(hosts), per_host, env.get("SLURM_DISTRIBUTION", ""))
    if len(homes) != tasks or rank >= tasks:
        raise BadCluster(
            f"Slurm says that there are {tasks} tasks on {names}, but {len(homes)} by node.",
            "Look at SLURM_* in env; a step whose nodes have failed cannot begin again.",
        )
    if (own := env.get("SLURM_NODEID", "")) and int(own) != homes[rank]:
        raise BadCluster(
            f"Task {rank} of Slurm's step is on node {own}, where it was not expected.",
            "Give srun --distribution=block, or cyclic.",
        )
    ports = _ports(env, job, number, max(per_host), port)
    seen = [0] * len(hosts)
    addresses = []
    for home in homes:
        addresses.append(f"{hosts[home]}:{ports[seen[home]]}")
        seen[home] += 1
    name = f"step {job}.{number}" if number else f"job {job}"
    return Step(name, rank, tuple(addresses))


def _homes(hosts: int, per_host: list[int], distribution: str) -> list[int]:
    """The number of the node of each task, by the task's number."""
    if distribution.startswith("cyclic"):
        rounds = range(max(per_host, default=0))
        return [home for turn in rounds for home, count in enumerate(per_host) if turn < count]
    return [home for home, count in enumerate(per_host[:hosts]) for _ in range(count)]


def _ports(env: Mapping[str, str], job: str, step: str, wanted: int, port: int) -> list[int]:
    reserved = env.get("SLURM_STEP_RESV_PORTS", "")
    if reserved and not port:
        found = [int(name) for name in hostlist.expand(f"[{reserved}]")]
        if len(found) >= wanted:
            return found
    numbers = [int(text) if text.isdigit() else 0 for text in (job, step)]
    offset = numbers[0] * 97 + numbers[1] * 7919
    first = port or _FIRST_PORT + offset % _PORTS
    return list(range(first, first + wanted))


def _whole(env: Mapping[str, str], *names: str, default: int | None = None) -> int:
    for name in names:
        if (text := env.get(name, "")).isdigit():
            return int(text)
    if default is not None:
        return default
    raise BadCluster(f"{names[0]} is {env.get(names[0])!r}, not a number.", "Start it with srun.")

"""The machines of a run as values, and the machine of each task."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The first port of a task on each machine, as on real clusters.
FIRST_PORT = 2222

#: The maximum number of machines per run; each takes some of a process's file descriptors.
MOST = 64


@dataclass(frozen=True)
class Machine:
    """One machine.

    Attributes:
        name: its host name.
        address: its address in the run's own network.
    """

    name: str
    address: str


def machines(count: int) -> tuple[Machine, ...]:
    return tuple(Machine(f"machine-{i}", f"10.9.0.{i + 1}") for i in range(count))


def deal(tasks: int, count: int) -> tuple[int, ...]:
    """The machine number of each task.

    Neighboring tasks share a machine, and the first machines take the remainder.

    >>> deal(5, 2)
    (0, 0, 0, 1, 1)
    """
    return tuple(task * count // tasks for task in range(tasks))


def ports(places: Sequence[int]) -> tuple[int, ...]:
    """The port of each task: the first free one on its machine."""
    return tuple(FIRST_PORT + places[:task].count(place) for task, place in enumerate(places))


def hosts(existing: str, known: Sequence[Machine]) -> str:
    """The ``/etc/hosts`` of a machine: the names of all machines, then the existing entries."""
    return "".join(f"{machine.address} {machine.name}\n" for machine in known) + existing

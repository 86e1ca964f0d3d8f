"""Machines of a run as values: which there are, and which of them each task is on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

#: The first port of a task on each machine, as on real clusters.
FIRST_PORT = 2222

#: How many machines a run can have: each takes some of the descriptors that a process may hold.
MOST = 64


@dataclass(frozen=True)
class Machine:
    """One machine.

    Attributes:
        name: its host name.
        address: in the network of the run, which no other shares.
    """

    name: str
    address: str


def machines(count: int) -> tuple[Machine, ...]:
    return tuple(Machine(f"machine-{i}", f"10.9.0.{i + 1}") for i in range(count))


def dealt(tasks: int, count: int) -> tuple[int, ...]:
    """The number of the machine of each task: neighbors together, one more where that is uneven.

    >>> dealt(5, 2)
    (0, 0, 0, 1, 1)
    """
    return tuple(task * count // tasks for task in range(tasks))


def ports(places: Sequence[int]) -> tuple[int, ...]:
    """The port of each task, given the machine of each: the first free one."""
    return tuple(FIRST_PORT + places[:task].count(place) for task, place in enumerate(places))


def hosts(existing: str, known: Sequence[Machine]) -> str:
    """What a machine finds in ``/etc/hosts``: the names of all of them before those of outside."""
    return "".join(f"{machine.address} {machine.name}\n" for machine in known) + existing

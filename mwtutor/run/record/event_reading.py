"""Events as read from the log, or from the pipe of a task, both of which may contain anything.

How a field is read follows from its type in :mod:`mwtutor.run.record.events`. Unreadable fields are
dropped; text that is shown later is sanitized here.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Iterator, Mapping
from dataclasses import fields
from typing import Any

from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.exceptions import BadCluster
from mwtutor.network import Network
from mwtutor.run.record.events import Event, Machine
from mwtutor.sanitize import harmless

#: The errors raised by reading a record that is damaged, or of another version.
UNREADABLE = (KeyError, TypeError, ValueError, AttributeError, OverflowError, BadCluster)

#: More than any count or pid in an event.
LARGEST = 1 << 53


def read(record: Mapping[str, Any]) -> Event | None:
    """The event of a record; None if it is of another version, or damaged."""
    known = KINDS.get(record["event"])
    if known is None:
        return None
    given = ((name, convert) for name, convert in _FIELDS[known].items() if name in record)
    try:
        return known(**{name: convert(record[name]) for name, convert in given})
    except UNREADABLE:
        return None


def _text(said: Any) -> str:
    if not isinstance(said, str):
        raise TypeError(said)
    return said


def _whole(said: Any) -> int:
    if not isinstance(said, int) or not -LARGEST < said < LARGEST:
        raise ValueError(said)
    return said


def _count(said: Any) -> int | None:
    """A number that may be missing; anything else counts as missing."""
    return said if isinstance(said, int) and abs(said) < 1 << 63 else None


def _worker(said: Any) -> TaskId:
    return TaskId("worker", int(said))


def _network(said: Any) -> Network:
    if not isinstance(said, Mapping):  # written by a version without the option
        return Network("host")
    return Network(harmless(said.get("kind", "")), harmless(said.get("why", "")))


def _machines(said: Any) -> tuple[Machine, ...]:
    return tuple(
        Machine(
            harmless(one["name"]),
            harmless(one["address"]),
            _some(tuple(map(TaskId.parse, one["tasks"]))),
            harmless(one.get("link", "")),
        )
        for one in said or ()
    )


def _some(tasks: tuple[TaskId, ...]) -> tuple[TaskId, ...]:
    """The tasks on a machine: every machine has at least one."""
    if not tasks:
        raise ValueError(tasks)
    return tasks


def _metrics(said: Any) -> dict[str, float]:
    return {
        _metric(name): float(value)
        for name, value in said.items()
        if isinstance(value, (int, float))
    }


#: A log repeats the same few names again and again.
_metric = functools.lru_cache(maxsize=256)(harmless)


#: How a field is read, by its type.
_READERS: dict[str, Callable[[Any], Any]] = {
    "str": _text,
    "Line": harmless,
    "bool": bool,
    "int": _whole,
    "Pid": lambda said: _whole(said or 0),
    "int | None": _count,
    "float": float,
    "TaskId": TaskId.parse,
    "TaskId | None": lambda said: TaskId.parse(said) if said else None,
    "tuple[TaskId, ...]": lambda said: tuple(map(TaskId.parse, said)),
    "ClusterSpec": ClusterSpec.of,
    "ClusterSpec | None": ClusterSpec.of,
    "Network": _network,
    "tuple[Machine, ...]": _machines,
    "Mapping[str, float]": _metrics,
    "Mapping[TaskId, int]": lambda said: {_worker(one): int(n) for one, n in said.items()},
    "frozenset[TaskId]": lambda said: frozenset(map(_worker, said)),
    "tuple[float, ...]": lambda said: tuple(map(float, said)),
    "tuple[Line, ...]": lambda said: tuple(map(harmless, said)),
}


def _last(base: type[Event]) -> Iterator[type[Event]]:
    """The subclasses of a class that have no subclasses themselves."""
    for one in base.__subclasses__():
        yield from _last(one) if one.__subclasses__() else (one,)


#: The events by their kinds; the keys are the names in the log.
KINDS: dict[str, type[Event]] = {one.kind: one for one in _last(Event)}

_FIELDS = {
    one: {found.name: _READERS[str(found.type)] for found in fields(one)} for one in KINDS.values()
}

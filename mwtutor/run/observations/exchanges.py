"""The exchanges of a run: which of them met, and which task waited for which."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import groupby
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.run.observations.ledgers import Exchange, Ledger, Line


@dataclass(frozen=True)
class Exchanges:
    """The exchanges of a run's tasks.

    Attributes:
        ledgers: the ledger of each task that takes part in collectives and has one.
        now: the time of the last possible exchange (seconds since the epoch): now, or the run's
            end.
        ended: the tasks that have ended, each with its final status.
        silent: whether the run is stuck, or was stopped because it was stuck.
        without: the tasks that take part in collectives but have no ledger.
    """

    ledgers: Mapping[TaskId, Ledger]
    now: float = 0.0
    ended: Mapping[TaskId, str] = field(default_factory=dict)
    silent: bool = False
    without: Sequence[TaskId] = ()

    @property
    def unrecorded(self) -> tuple[str, ...]:
        """The ways in which tasks may have made unrecorded exchanges, such as ``XLA``."""
        by_task = (one.unrecorded for one in self.ledgers.values())
        return tuple(dict.fromkeys(what for one in by_task for what in one))

    def lines(self) -> list[tuple[Line, dict[TaskId, Exchange]]]:
        """Each task's newest exchange at each line of the program, with the line's totals."""
        totals = {task: one.totals() for task, one in self.ledgers.items()}
        lines = dict.fromkeys(line for one in totals.values() for line in one)
        return [
            (line, {task: one[line] for task, one in totals.items() if line in one})
            for line in lines
        ]

    def to_dict(self) -> dict[str, Any]:
        """The exchanges, in types that JSON supports."""
        return {
            str(task): {
                "attempt": one.attempt,
                "whole": one.whole,
                "unrecorded": list(one.unrecorded),
                "made": one.made,
                "exchanges": [asdict(each) for each in one.exchanges],
            }
            for task, one in self.ledgers.items()
        }


@dataclass(frozen=True)
class Meeting:
    """Exchanges of different tasks that meet: one from each task that has begun it.

    Attributes:
        ready: when each task could take part, because its input was ready and its previous exchange
            was over.
    """

    parts: Mapping[TaskId, Exchange]
    ready: Mapping[TaskId, float]

    @property
    def last(self) -> TaskId:
        """The task that arrived last."""
        return max(self.ready, key=self.ready.__getitem__)

    def waited(self, task: TaskId) -> float:
        """How many seconds this task waited for the last task.

        This is at most the length of its own exchange, because on a busy machine the last task may
        record its start late.
        """
        until = min(self.ready[self.last], self.parts[task].ended or math.inf)
        return max(until - self.ready[task], 0.0)

    def transfer(self, task: TaskId) -> float:
        """How many seconds this task's exchange lasted after the last task had arrived."""
        return max(self.parts[task].ended - self.ready[self.last], 0.0)


def first_end(parts: Mapping[TaskId, Exchange]) -> float:
    """When the first of these exchanges ended; infinity if none has."""
    return min(one.ended or math.inf for one in parts.values())


def meetings(ledgers: Mapping[TaskId, Ledger]) -> list[Meeting]:
    """The exchanges that met, in the order in which they ended; unfinished ones come last."""
    pairs = sorted((meets, task) for task, one in ledgers.items() for meets in one.by_meeting)
    met = [
        {task: ledgers[task].by_meeting[meets] for _, task in same}
        for meets, same in groupby(pairs, key=lambda pair: pair[0])
    ]
    met.sort(key=first_end)
    ended: dict[TaskId, float] = {}
    found = []
    for parts in met:
        ready = {task: max(one.begun, ended.get(task, 0.0)) for task, one in parts.items()}
        ended.update({task: one.ended for task, one in parts.items()})
        found.append(Meeting(parts, ready))
    return found


@dataclass(frozen=True)
class Waiting:
    """How long one task waited for the last task to arrive.

    Attributes:
        seconds: the total over all exchanges.
        last: the number of times that it was the last to arrive.
        caused: the longest wait of another task in each of these exchanges, added up (seconds).
    """

    seconds: float
    last: int
    caused: float


def complete(met: Sequence[Meeting], tasks: int) -> list[Meeting]:
    """The exchanges in which all tasks took part and which have ended for all of them."""
    done = (one for one in met if len(one.parts) == tasks > 1)
    return [one for one in done if all(part.done for part in one.parts.values())]


def waiting_tasks(ledgers: Mapping[TaskId, Ledger]) -> tuple[int, dict[TaskId, Waiting]]:
    """How many exchanges among all tasks are complete, and which task waited for which in them."""
    whole = complete(meetings(ledgers), len(ledgers))
    found = {}
    for task in ledgers:
        late = [
            max(one.waited(other) for other in one.parts if other != task)
            for one in whole
            if one.last == task
        ]
        found[task] = Waiting(sum(one.waited(task) for one in whole), len(late), sum(late))
    return len(whole), found


def join_names(names: Sequence[object], most: int = 4) -> str:
    """The names as a list in a sentence: "a, b and c"."""
    shown = [str(name) for name in names[:most]] + ["others"] * (len(names) > most)
    *first, last = shown
    return " and ".join(filter(None, (", ".join(first), last)))

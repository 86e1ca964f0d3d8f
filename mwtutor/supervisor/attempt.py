"""A supervisor's memory of one start of the whole cluster, beyond the events that it records."""

from __future__ import annotations

from dataclasses import dataclass, field

from mwtutor.cluster import TaskId
from mwtutor.run.record.state import Outcome
from mwtutor.supervisor.blame import Blame


@dataclass
class Attempt:
    """One start of the whole cluster.

    Attributes:
        number: the first is 1.
        done: the tasks that were stopped because their work was done.
        cut: why others were stopped although their work may have been unfinished.
        blame: the culprit of the failure, once there is one.
        verdict: the outcome of the attempt, once it has been decided to end it.
        restart_in: seconds before the next attempt, if this one has failed and another will follow.
        without: the workers that the next attempt leaves out.
    """

    number: int
    done: set[TaskId] = field(default_factory=set)
    cut: dict[TaskId, str] = field(default_factory=dict)
    blame: Blame = field(default_factory=Blame)
    verdict: Outcome | None = None
    restart_in: float | None = None
    without: tuple[TaskId, ...] = ()

"""What a supervisor keeps in mind about one start of the whole cluster, beside what it records."""

from __future__ import annotations

from dataclasses import dataclass, field

from mwtutor.cluster import TaskId
from mwtutor.supervisor.policy import Blame, Verdict


@dataclass
class Attempt:
    """One start of the whole cluster.

    Attributes:
        number: the first is 1.
        done: the tasks that were stopped because their work was done.
        cut: why others were, although it may not have been.
        blame: whose failure it is, once there is one.
        verdict: how it is being ended, once it is.
        restart_in: seconds before the next, once this has failed and another is to follow.
    """

    number: int
    done: set[TaskId] = field(default_factory=set)
    cut: dict[TaskId, str] = field(default_factory=dict)
    blame: Blame = field(default_factory=Blame)
    verdict: Verdict | None = None
    restart_in: float | None = None

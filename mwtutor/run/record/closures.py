"""What a chief has had computed, as its coordinator reports it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from mwtutor.cluster import TaskId
from mwtutor.worker.patches.coordination import COUNTED


@dataclass(frozen=True)
class Closures:
    """What has become of the closures that a coordinator was given, in numbers.

    Attributes:
        scheduled: how many it was given.
        done: how many each worker has computed.
        retried: how often one was computed again, because its worker was lost or out of reach.
        failed: how many raised an error.
        cancelled: how many were given up, because another one had raised.
        computing: the workers that compute one now, or did so just before.
    """

    scheduled: int = 0
    done: Mapping[TaskId, int] = field(default_factory=dict)
    retried: int = 0
    failed: int = 0
    cancelled: int = 0
    computing: frozenset[TaskId] = frozenset()

    @property
    def finished(self) -> int:
        """How many were computed, on all workers together."""
        return sum(self.done.values())

    @property
    def trouble(self) -> str:
        """What has happened to those that were not simply computed, in words."""
        counts = {"retried": self.retried, "failed": self.failed, "cancelled": self.cancelled}
        return ", ".join(f"{number} {what}" for what, number in counts.items() if number)

    @classmethod
    def of(cls, event: Mapping[str, Any]) -> Closures:
        """As :mod:`mwtutor.worker.patches.coordination` has reported them.

        Raises:
            KeyError, TypeError, ValueError: it has not.
        """
        return cls(
            **{what: int(event[what]) for what in COUNTED},
            done={TaskId("worker", int(index)): int(n) for index, n in event["done"].items()},
            computing=frozenset(TaskId("worker", int(index)) for index in event["computing"]),
        )

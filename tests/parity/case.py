"""A row of the parity table."""

from __future__ import annotations

import enum
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np

Result = dict[str, np.ndarray]


class Promise(enum.Enum):
    """What a row promises of N workers."""

    EQUAL = "Equal"
    CONSISTENT = "Consistent"
    REFUSED = "Refused"
    AS_IS = "As is"


@dataclass(frozen=True)
class Env:
    """Where a case runs: in one process, or as one of several workers.

    Attributes:
        keras: the module: ``keras``, or ``tf_keras`` where that is Keras 3.
        strategy: the strategy of this worker, None in one process.
        replicas: the number of replicas of the compared cluster, also in one process.
        index: this worker, 0 in one process.
        directory: for files; the same for all workers of a cluster.
    """

    keras: Any
    strategy: Any
    replicas: int
    index: int
    directory: Path

    @property
    def version(self) -> int:
        return int(self.keras.__version__.partition(".")[0])

    def scope(self) -> Any:
        import contextlib

        return contextlib.nullcontext() if self.strategy is None else self.strategy.scope()


@dataclass(frozen=True)
class Case:
    """One program that runs unchanged in one process and on every worker.

    Attributes:
        row: what the table calls it.
        run: the program.
        promise: what it promises, by version of Keras.
        reference: the hand-written computation a CONSISTENT or an AS_IS row is equal to.
        tolerance: largest relative difference of a weight.
        workers: sizes of the clusters it runs on.
        since: the first Keras 3 that has the feature.
        since_2: the first Keras 2 that keeps the promise.
        says: words of the error with which Keras 2 refuses by itself.
        note: for the table.
    """

    row: str
    run: Callable[[Env], Result]
    promise: dict[int, Promise]
    reference: Callable[[Env], Result] | None = None
    tolerance: float = 1e-5
    workers: tuple[int, ...] = (2,)
    since: tuple[int, int] = (3, 0)
    since_2: tuple[int, int] = (2, 0)
    says: str = ""
    note: str = ""

    def runs_on(self, keras: tuple[int, int]) -> bool:
        """Whether this version of Keras, (major, minor), has what the case is about."""
        return keras[0] in self.promise and keras >= (self.since_2 if keras[0] == 2 else self.since)

    @property
    def name(self) -> str:
        return self.run.__name__


@dataclass
class Cases:
    """A list that cases add themselves to."""

    cases: list[Case] = field(default_factory=list)

    def add(
        self,
        row: str,
        promise: Promise = Promise.EQUAL,
        keras: tuple[int, ...] = (2, 3),
        **more: Any,
    ) -> Callable[[Callable[[Env], Result]], Callable[[Env], Result]]:
        def register(run: Callable[[Env], Result]) -> Callable[[Env], Result]:
            self.cases.append(Case(row, run, dict.fromkeys(keras, promise), **more))
            return run

        return register

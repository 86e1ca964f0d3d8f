"""What a row of the parity table is."""

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
    FILES = "Chief's files only"


@dataclass(frozen=True)
class Env:
    """Where a case runs: in one process, or as one of several workers.

    Attributes:
        keras: the module, ``tf_keras`` or ``keras``.
        strategy: the strategy of this worker, None in one process.
        replicas: how many replicas the cluster that is compared has, in one process too.
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
        return 2 if self.keras.__name__ == "tf_keras" else 3

    def scope(self) -> Any:
        import contextlib

        return contextlib.nullcontext() if self.strategy is None else self.strategy.scope()


@dataclass(frozen=True)
class Case:
    """One program that runs alike in one process and on every worker.

    Attributes:
        row: what the table calls it.
        run: the program.
        promise: what it promises, by version of Keras; a version that is missing has no such
            feature, or is known to fail (then ``note`` says how).
        reference: the hand-written computation a CONSISTENT row is equal to.
        tolerance: largest relative difference of a weight.
        workers: sizes of the clusters it runs on.
        note: for the table.
    """

    row: str
    run: Callable[[Env], Result]
    promise: dict[int, Promise]
    reference: Callable[[Env], Result] | None = None
    tolerance: float = 1e-5
    workers: tuple[int, ...] = (2,)
    note: str = ""

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

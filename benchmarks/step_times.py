"""Measure the cost of recording the times of a step, in a process that does nothing else.

    python benchmarks/step_times.py

Prints the microseconds for recording one step, and for timing a call of a ``tf.function`` from
outside: the difference between two calls of a function that does nothing.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from mwtutor.worker import moments
from mwtutor.worker.patches import steps

ROUNDS, CALLS = 15, 2000


def microseconds(action: Callable[[], object]) -> float:
    """Microseconds of one call, in the quickest round."""
    rounds = []
    for _ in range(ROUNDS):
        begun = time.perf_counter()
        for _ in range(CALLS):
            action()
        rounds.append((time.perf_counter() - begun) / CALLS * 1e6)
    return min(rounds)


class Nothing:
    def __call__(self) -> None: ...


class Looked(Nothing):
    __call__ = steps._timed(Nothing.__call__)


def step() -> None:
    moments.step_begins()
    moments.step_ends()


def main() -> None:
    with tempfile.TemporaryDirectory() as directory:
        moments.install(str(Path(directory, "worker-0.log")))
        noted = []
        for _ in range(5):
            moments._moments._stride, moments._moments._left = 1, 10**9  # every step is recorded
            noted.append(microseconds(step))
        print(f"recording a step: {statistics.median(noted):.1f} µs")
        moments._moments._stride = 64
        print(f"counting a step: {microseconds(step):.1f} µs")
        print(f"timing a call: {microseconds(Looked()) - microseconds(Nothing()):.1f} µs")


if __name__ == "__main__":
    main()

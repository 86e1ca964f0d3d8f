"""The time of a training step with 11 MB of gradients on two workers, by kind of program."""

from __future__ import annotations

from programs import STEPS
from ways import launched

KINDS = tuple(STEPS)
WORKERS = 2


def measure(way: str, kind: str) -> dict[str, float]:
    """Milliseconds of the slower worker's median step; empty if this way cannot train it."""
    program, keras_2 = STEPS[kind]
    with launched(way, WORKERS, program, keras_2=keras_2) as launch:
        marks = launch.wait(*(f"steps-{index}" for index in range(WORKERS)))
        if marks is None:
            return {}
        return {"step ms": max(float(str(mark.more["ms"])) for mark in marks)}

"""How much time and memory a launch takes, for each number of workers."""

from __future__ import annotations

from programs import TRAINING
from ways import launched

_STEPS = {"BENCH_STEPS": "60"}


def measure(way: str, workers: int) -> dict[str, float]:
    """The measurements of one launch, without those that were not possible."""
    found: dict[str, float] = {}
    with launched(way, workers, TRAINING, env=_STEPS) as launch:
        begun = launch.wait("begun")
        if begun is None:
            return found
        for figure, what in (("formed s", "formed"), ("first step s", "first")):
            marks = launch.wait(*(f"{what}-{index}" for index in range(workers)))
            if marks is None:
                return found
            found[figure] = max(mark.t for mark in marks) - begun[0].t
        found["memory MiB"] = launch.memory()
        if over := launch.wait("over"):
            found["end s"] = over[0].t - begun[0].t
    return found

"""Measure programs with much output: how long they take, and the memory that the driver needs."""

from __future__ import annotations

import psutil
from programs import OUTPUT
from ways import launched

WORKERS = 2
_LINE = 100


def measure(way: str, megabytes: int) -> dict[str, float]:
    lines = megabytes * 10**6 // _LINE // WORKERS
    found: dict[str, float] = {}
    with launched(way, WORKERS, OUTPUT, env={"BENCH_LINES": str(lines)}) as launch:
        begun = launch.wait("begun")
        if begun is None:
            return found
        driver = psutil.Process(launch.driver.pid)
        before = most = driver.memory_info().rss
        while launch.driver.poll() is None and launch.mark("over") is None:
            try:
                most = max(most, driver.memory_info().rss)
            except psutil.Error:
                break
            if launch.wait("over", seconds=0.05):
                break
        if over := launch.mark("over"):
            found = {"end s": over.t - begun[0].t, "driver MiB": (most - before) >> 20}
    return found

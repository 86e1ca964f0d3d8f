"""Kill a worker, and measure when its user learns of it, and when the last of its peers ends."""

from __future__ import annotations

import os
import signal
import time

from programs import TRAINING
from ways import gone, launched

PHASES = ("before the cluster has formed", "in mid-training")

#: The number of workers, and the one that is killed; the others do not connect to that one.
WORKERS, VICTIM = 2, 1


def measure(way: str, phase: str, seconds: float) -> dict[str, float | str]:
    """The seconds from the death to each event; for example, ``> 30`` if none had come by then."""
    early = phase == PHASES[0]
    found: dict[str, float | str] = {}
    hold, steps = ((VICTIM,), "60") if early else ((), "1000000")
    with launched(way, WORKERS, TRAINING, env={"BENCH_STEPS": steps}, hold=hold) as launch:
        tasks = launch.wait(*(f"{'started' if early else 'tenth'}-{i}" for i in range(WORKERS)))
        if tasks is None:
            return found
        time.sleep(2.0 if early else 0.5)  # the peer waits, or trains
        peers = [mark.pid for index, mark in enumerate(tasks) if index != VICTIM]
        killed = time.time()
        os.kill(tasks[VICTIM].pid, signal.SIGKILL)
        ended = gone(peers, seconds)()
        # The driver ends with its message.
        left = max(0.0, killed + seconds - time.time())
        said = launch.wait("said", seconds=left) or (
            [mark] if (mark := launch.mark("said")) else None
        )
        late = f"> {seconds:g}"
        found["reported s"] = said[0].t - killed if said else late
        found["peers gone s"] = ended - killed if ended else late
    return found

"""Numbers that differ in each run, and records of what a program of the course did with them.

A broken cluster of lesson 22 records its results here, so that its check sees what ran. Import this
module first: it must read which task this is before the program changes ``TF_CONFIG``.
"""

from __future__ import annotations

import json
import os
import random
from pathlib import Path
from typing import Any

_RUN = os.environ.get("MWTUTOR_RUN", "")
_TASK = json.loads(os.environ.get("TF_CONFIG") or "{}").get("task", {})

#: The task's name, ``worker:1``; ``worker:0`` outside a cluster.
TASK = f"{_TASK.get('type', 'worker')}:{_TASK.get('index', 0)}"

#: Only this worker knows its own numbers; all tasks of a run know the common ones.
_OWN, _COMMON = random.SystemRandom(), random.Random(_RUN or None)

_noted: dict[str, list[Any]] = {}


def place(run: str, task: str) -> str:
    """The name of the file with the records of a run's task."""
    return f".facts-{run}-{task.replace(':', '-')}.json"


def own_number() -> float:
    """A whole number that only this worker knows, recorded as ``own``."""
    number = float(_OWN.randrange(1, 1000))
    note("own", number)
    return number


def rows(count: int) -> list[float]:
    """Distinct whole numbers, the same on all workers, different in each run."""
    drawn = [float(one) for one in _COMMON.sample(range(1, 1000), count)]
    _noted.setdefault("rows", []).append(drawn)
    return drawn


def note(name: str, value: Any) -> Any:
    """Record a number, or an array of numbers, for the check; print and return it.

    Of a distributed value, only this worker's part is recorded.
    """
    import numpy as np

    parts = getattr(value, "values", None)
    local = parts[0] if isinstance(parts, tuple) else value
    _noted.setdefault(name, []).append(np.asarray(local, float).tolist())
    print(name, _noted[name][-1], flush=True)
    if _RUN:
        Path(place(_RUN, TASK)).write_text(json.dumps(_noted))
    return value

"""Whether a machine can carry as many tasks as are asked for: asked back before, not found out."""

from __future__ import annotations

import os
from dataclasses import dataclass

from mwtutor.exceptions import BadInput
from mwtutor.system.memory import available

#: Tasks for each processor beyond which starting them takes longer than anyone wants to wait.
PER_CORE = 8

#: Bytes that a task with TensorFlow needs at the very least, beside what it shares with others.
PER_TASK = 120 << 20


@dataclass(frozen=True)
class Capacity:
    """What this process may use.

    Attributes:
        cores: processors.
        memory: bytes.
    """

    cores: int
    memory: int

    @classmethod
    def here(cls) -> Capacity:
        try:
            cores = len(os.sched_getaffinity(0))
        except AttributeError:  # not on every system
            cores = os.cpu_count() or 1
        return cls(cores, available())

    def check(self, tasks: int) -> None:
        """Raise :class:`BadInput` if so many tasks are more than it can carry."""
        carried = self.cores * PER_CORE
        if tasks > carried:
            cores = "1 processor" if self.cores == 1 else f"{self.cores} processors"
            self._ask_back(tasks, f"this machine has {cores}, which is for {carried} at most")
        if tasks * PER_TASK > self.memory:
            free = f"{self.memory >> 20} MiB of memory available"
            self._ask_back(tasks, f"there are {free}, and each needs {PER_TASK >> 20} or more")

    def _ask_back(self, tasks: int, why: str) -> None:
        many = "1 task is" if tasks == 1 else f"{tasks} tasks are"
        raise BadInput(
            f"{many} too many here: {why}.",
            "Ask for fewer, or start them all the same: --oversubscribe (in Python:"
            " oversubscribe=True).",
        )

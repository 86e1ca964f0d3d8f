"""Whether a machine can run as many tasks as requested: checked before anything starts."""

from __future__ import annotations

from dataclasses import dataclass

from mwtutor.exceptions import BadInput
from mwtutor.system.limits import limits

#: Maximum number of tasks per processor; starting more takes too long.
PER_CORE = 8

#: Minimum memory that a task with TensorFlow needs beyond what it shares with others (bytes).
PER_TASK = 120 << 20


@dataclass(frozen=True)
class Capacity:
    """What this process may use.

    Attributes:
        cores: processors.
        memory: bytes.
        cores_by, memory_by: what limits them, see :class:`mwtutor.system.limits.Limits`.
    """

    cores: float
    memory: int
    cores_by: str = ""
    memory_by: str = ""

    @classmethod
    def here(cls) -> Capacity:
        found = limits()
        return cls(found.cores, found.memory, found.cores_by, found.memory_by)

    def check(self, tasks: int) -> None:
        """Raise :class:`BadInput` if the machine cannot run that many tasks."""
        carried = int(self.cores * PER_CORE)
        if tasks > carried:
            cores = "1 processor" if self.cores == 1 else f"{self.cores:.3g} processors"
            has = f"this process can use {cores}{_by(self.cores_by)}"
            if not self.cores_by:
                has = f"this machine has {cores}"
            self._ask_back(tasks, has, carried)
        if tasks * PER_TASK > self.memory:
            free = f"{self.memory >> 20} MiB of memory is available{_by(self.memory_by)}"
            needs = f"each task needs at least {PER_TASK >> 20} MiB"
            self._ask_back(tasks, f"{free}, and {needs}", self.memory // PER_TASK)

    def _ask_back(self, tasks: int, why: str, fit: int) -> None:
        many = "1 task is" if tasks == 1 else f"{tasks} tasks are"
        enough = f"enough for {fit} task{'s' * (fit != 1)}" if fit else "not enough for one"
        fewer = f"Ask for at most {fit}" if fit else "Free some, or raise the limit"
        raise BadInput(
            f"{many} too many here: {why}; {enough}.",
            f"{fewer}, or start them anyway: --oversubscribe (in Python: oversubscribe=True).",
        )


def _by(limit: str) -> str:
    return f" (by {limit})" if limit else ""

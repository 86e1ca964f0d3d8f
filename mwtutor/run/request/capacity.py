"""Whether a machine can run as many tasks as requested: checked before anything starts."""

from __future__ import annotations

from mwtutor.exceptions import BadInput
from mwtutor.system.processors_and_memory import Limits

#: Maximum number of tasks per processor; starting more takes too long.
PER_CORE = 8

#: Minimum memory that a task with TensorFlow needs beyond what it shares with others (bytes).
PER_TASK = 120 << 20


def check_capacity(tasks: int, here: Limits) -> None:
    """Raise :class:`BadInput` if a process with these limits cannot run that many tasks."""
    carried = int(here.cores * PER_CORE)
    if tasks > carried:
        cores = "1 processor" if here.cores == 1 else f"{here.cores:.3g} processors"
        has = f"this process can use {cores}{_by(here.cores_by)}"
        if not here.cores_by:
            has = f"this machine has {cores}"
        raise _too_many(tasks, has, carried)
    if tasks * PER_TASK > here.memory:
        free = f"{here.memory >> 20} MiB of memory is available{_by(here.memory_by)}"
        needs = f"each task needs at least {PER_TASK >> 20} MiB"
        raise _too_many(tasks, f"{free}, and {needs}", here.memory // PER_TASK)


def _too_many(tasks: int, why: str, fit: int) -> BadInput:
    many = "1 task is" if tasks == 1 else f"{tasks} tasks are"
    enough = f"enough for {fit} task{'s' * (fit != 1)}" if fit else "not enough for one"
    fewer = f"Ask for at most {fit}" if fit else "Free some memory, or raise the limit"
    return BadInput(
        f"{many} too many here: {why}; {enough}.",
        f"{fewer}, or start the tasks anyway: --oversubscribe (in Python: oversubscribe=True).",
    )


def _by(limit: str) -> str:
    return f" (limited by {limit})" if limit else ""

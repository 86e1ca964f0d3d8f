"""Where the tasks of a run stand at this moment, and which of them the others wait for."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from mwtutor.cluster import TaskId
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.run import stacks
from mwtutor.run.run import Run
from mwtutor.run.stacks import ThreadStack


@dataclass(frozen=True)
class Standing:
    """Where one task stands.

    Attributes:
        threads: its Python stacks, the main thread first; none if it did not answer.
        why: why it did not.
    """

    task: TaskId
    threads: tuple[ThreadStack, ...] = ()
    why: str = ""

    @property
    def waits(self) -> bool:
        """Whether it is where one waits for other tasks, as in a collective."""
        # Not only the main thread: a strategy runs each replica's part in a thread of its own.
        return any(thread.waits for thread in self.threads)

    @property
    def place(self) -> str:
        return stacks.place(self.threads)


def standings(run: Run, tasks: Iterable[TaskId] = ()) -> tuple[Standing, ...]:
    """Where tasks stand: those that the others wait for first, those that wait last.

    Args:
        tasks: which; all that have not ended by default.

    Raises:
        NoRun: there is none, since the run has ended, or nobody may ask.
    """
    state = run.state
    live = [name for name, task in state.tasks.items() if not task.status.ended]
    if state.outcome is not None or not live:
        raise NoRun(
            f"{run.name} has ended, so its tasks have no stacks.",
            f"See what they printed last: %mw_logs --name {run.name} -n 20",
        )
    found = [_standing(run, task) for task in tuple(tasks) or live]
    return tuple(sorted(found, key=lambda one: (one.waits, not one.threads)))


def _standing(run: Run, task: TaskId) -> Standing:
    try:
        return Standing(task, run.stacks(task))
    except (BadInput, NoRun) as error:
        return Standing(task, why=str(error).splitlines()[0])


def awaited(found: Sequence[Standing]) -> tuple[Standing, ...]:
    """Those that the others wait for: they are elsewhere, while others wait.

    One that did not answer may be anywhere, and is not among them.
    """
    if not any(one.waits for one in found):
        return ()
    return tuple(one for one in found if one.threads and not one.waits)

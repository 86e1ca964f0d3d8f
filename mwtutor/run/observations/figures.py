"""The figures that a run's tasks showed with ``plt.show()`` and that were kept."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import TaskState
from mwtutor.system.files import read
from mwtutor.worker.patches.figures import file

#: Maximum number of bytes read from a picture.
_LARGEST = 4 << 20

_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Figure:
    """A figure that a task has shown: its number, counted from 1, and its picture."""

    task: TaskId
    number: int
    path: Path

    @property
    def words(self) -> str:
        return f"figure {self.number} of {self.task}"

    def data(self) -> bytes:
        """The picture; empty if its file is missing, or not a picture."""
        try:
            found = read(self.path, _LARGEST)
        except OSError:
            return b""
        return found if found.startswith(_PNG) else b""


def kept_figures(spec: RunSpec, tasks: Iterable[TaskState], most: int) -> Iterator[Figure]:
    """The last ``most`` figures of each task, in order."""
    for task in tasks:
        last = task.findings.figures
        for number in range(max(last - most, 0) + 1, last + 1):
            yield Figure(task.id, number, file(spec.log(task.id), number))

"""The figures that the tasks of a run have shown, as pictures and as the names of their files."""

from __future__ import annotations

import base64
from collections.abc import Iterator
from dataclasses import dataclass
from html import escape
from pathlib import Path

from mwtutor.cluster import TaskId
from mwtutor.exceptions import NoRun
from mwtutor.markup import panel
from mwtutor.run.run import Run
from mwtutor.system.files import read
from mwtutor.worker.patches.figures import file

#: Bytes of a picture that is shown, and pictures that are shown of a task: the last.
_LARGEST, _SHOWN = 4 << 20, 10

_PNG = b"\x89PNG\r\n\x1a\n"


@dataclass(frozen=True)
class Figure:
    """A figure that a task has shown: which of its figures, the first is 1, and its picture."""

    task: TaskId
    number: int
    path: Path

    @property
    def words(self) -> str:
        return f"figure {self.number} of {self.task}"

    def data(self) -> bytes:
        """The picture; empty if it is gone, or is none."""
        try:
            found = read(self.path, _LARGEST)
        except OSError:
            return b""
        return found if found.startswith(_PNG) else b""


@dataclass(frozen=True)
class Figures:
    """Those of a run, which display themselves: the last of each task, side by side."""

    found: tuple[Figure, ...]

    @classmethod
    def of(cls, run: Run) -> Figures:
        """Those that were kept so far.

        Raises:
            NoRun: no task has shown any.
        """
        found = tuple(_figures(run))
        if not found:
            raise NoRun(
                f"The program of {run.name} has shown no figures.",
                "plt.show() keeps them. Without --figures, %mw_plot draws a metric.",
            )
        return cls(found)

    def __repr__(self) -> str:
        return "\n".join(f"{one.words}: {one.path}" for one in self.found)

    def _repr_html_(self) -> str:
        return panel(*(_picture(one) for one in self.found))


def _figures(run: Run) -> Iterator[Figure]:
    for name, task in run.tasks.items():
        last = task.findings.figures
        for number in range(max(last - _SHOWN, 0) + 1, last + 1):
            yield Figure(name, number, file(run.spec.log(name), number))


def _picture(one: Figure) -> str:
    data = base64.b64encode(one.data()).decode()
    words = escape(one.words)
    drawn = (
        f'<img alt="{words}" src="data:image/png;base64,{data}" style="max-width:100%">'
        if data
        else f"<span>{escape(str(one.path))} cannot be read</span>"
    )
    return (
        '<figure style="display:inline-block;margin:4px;max-width:48%;vertical-align:top">'
        f"{drawn}<figcaption>{words}</figcaption></figure>"
    )

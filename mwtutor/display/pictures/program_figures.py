"""The figures that a run's tasks have shown, as pictures and as file names."""

from __future__ import annotations

import base64
from dataclasses import dataclass
from html import escape

from mwtutor.exceptions import NoRun
from mwtutor.markup import panel
from mwtutor.run.observations.figures import Figure, kept_figures
from mwtutor.run.run import Run

#: How many of a task's last figures are shown.
_SHOWN = 10


@dataclass(frozen=True)
class Figures:
    """A run's figures, which display themselves: the last of each task, side by side."""

    found: tuple[Figure, ...]

    @classmethod
    def from_run(cls, run: Run) -> Figures:
        """The figures kept so far.

        Raises:
            NoRun: no task has shown a figure.
        """
        found = tuple(kept_figures(run.spec, run.tasks.values(), _SHOWN))
        if not found:
            raise NoRun(
                f"The program of {run.name} showed no figures.",
                "mwtutor keeps the figures that plt.show() shows. Without --figures, @mw_plot draws"
                " a metric.",
            )
        return cls(found)

    def __repr__(self) -> str:
        return "\n".join(f"{one.words}: {one.path}" for one in self.found)

    def _repr_html_(self) -> str:
        return panel(*(_picture(one) for one in self.found))


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

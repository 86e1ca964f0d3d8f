"""Curves of every worker, drawn with matplotlib, or with characters in a terminal."""

from __future__ import annotations

import base64
import contextlib
import io
import math
import shutil
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from itertools import pairwise
from pathlib import Path
from typing import Any

from mwtutor.colors import AXES, CURVES
from mwtutor.display.panel.training import curve_words
from mwtutor.display.pictures.textplot import draw
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless
from mwtutor.system.files import write_whole

#: Matplotlib cannot draw an axis that extends much further.
_FURTHEST = 1e300


@dataclass(frozen=True)
class Drawing:
    """Curves over a common axis: a picture for a page, characters for a terminal.

    The picture has no background, and colors that are visible on white and on black, so it suits
    light and dark pages.

    Attributes:
        title: the title of the picture.
        across, up: the labels of the axes.
        lines: the ordered points (x, y) of each curve, by name.
        steps: whether to draw steps, in which a value holds until the next one.
    """

    title: str
    across: str
    up: str
    lines: Mapping[str, Sequence[tuple[float, float]]]
    steps: bool = False

    def __repr__(self) -> str:
        columns = shutil.get_terminal_size().columns
        return draw(
            self.lines, title=f"{self.title}: {self.up}", across=self.across, columns=columns
        )

    def _repr_html_(self) -> str:
        data = base64.b64encode(self.png()).decode()
        return f'<img alt="{escape(self.words)}" src="data:image/png;base64,{data}">'

    @property
    def words(self) -> str:
        """The picture in words, for readers who cannot see it."""
        curves = (
            f"{harmless(name)} {curve_words([y for _, y in points])}"
            for name, points in self.lines.items()
        )
        return f"{harmless(self.up)} of {harmless(self.title)}: {'; '.join(curves)}"

    def png(self) -> bytes:
        """The picture as a PNG.

        Curves that coincide, as those of synchronous workers do, stay visible: each is thinner than
        the one before.
        """
        figure, axes = blank()
        for number, (name, points) in enumerate(self.lines.items()):
            across, up = zip(*points, strict=True)
            width = max(3.0 - number, 1.0) if self.steps else max(6.0 - 2.0 * number, 1.0)
            draw = axes.step if self.steps else axes.plot
            draw(_drawable(across), _drawable(up), label=name, linewidth=width)
        if self.steps:
            axes.set_ylim(bottom=0)
        return render_png(figure, axes, self.across, self.up, self.title)


def curves(run: Run, metric: str) -> Drawing:
    """One curve per task: the metric over the training steps.

    Raises:
        BadInput: no task has reported a metric with that name.
    """
    history = run.history(metric)
    lines = {str(task): points for task, points in history.items()}
    return Drawing(run.name, "step", _axis_label([run], metric), lines)


def curves_of_runs(runs: Sequence[Run], metric: str) -> Drawing | None:
    """One curve per run: the metric of the first task that reported it; None if none did."""
    lines: dict[str, Sequence[tuple[float, float]]] = {}
    for run in runs:
        with contextlib.suppress(BadInput):  # this run did not report it
            task, points = next(iter(run.history(metric).items()))
            lines[f"{run.name}, {task}"] = points
    title = ", ".join(run.name for run in runs)
    return Drawing(title, "step", _axis_label(runs, metric), lines) if lines else None


def _axis_label(runs: Iterable[Run], metric: str) -> str:
    tasks = (task for run in runs for task in run.tasks.values())
    if any(metric in task.metrics and task.over_epoch for task in tasks):
        return metric + OVER_EPOCH * (not metric.startswith("val_"))  # validation gives totals
    return metric


#: Keras computes metrics over the epoch so far; only the first value is that of a single step.
OVER_EPOCH = ", over the epoch so far"


def traffic(run: Run) -> Drawing:
    """One curve per machine: bytes sent per second, over time.

    Raises:
        NoRun: the run has no machines, or no traffic has been counted yet.
    """
    samples, machines = run.traffic(), run.state.machines
    if len(samples) < 2:
        raise NoRun(
            f"{run.name} recorded no traffic of its machines.",
            "Launch with --machines, and try again once the run has begun.",
        )
    lines = {
        machine.name: [
            (
                after.at - run.state.started,
                (after.bytes_of(number)[0] - before.bytes_of(number)[0])
                * 8e-6
                / max(after.at - before.at, 0.001),
            )
            for before, after in pairwise(samples)
        ]
        for number, machine in enumerate(machines)
    }
    return Drawing(run.name, "seconds", "sent, Mbit/s", lines, steps=True)


def save(drawing: Drawing, name: str) -> Path:
    """Write the picture into the current directory.

    Raises:
        BadInput: it cannot be written.
    """
    path = Path(f"{name}.png")
    try:
        write_whole(path, drawing.png())
    except OSError as error:
        raise BadInput(
            f"{path} cannot be written: {error.strerror}.",
            "Free up space there, or get the values in Python: mwtutor.find().history('loss').",
        ) from None
    return path


def show_in_terminal(drawing: Drawing, name: str, say: Callable[[str], None]) -> None:
    """Draw the curves with characters, and say where the picture file is.

    Raises:
        BadInput: the picture cannot be written.
    """
    say(repr(drawing))
    say(f"Wrote the picture to {save(drawing, name)}.")


def blank() -> tuple[Any, Any]:
    """A new figure and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_prop_cycle(color=CURVES)
    return figure, axes


def render_png(
    figure: Any, axes: Any, across: str, up: str, title: str, *, crowded: bool = False
) -> bytes:
    """The labeled figure as a PNG, for light and dark pages.

    Args:
        crowded: whether the curves leave no space for a legend among them.
    """
    axes.set_xlabel(across, color=AXES)
    axes.tick_params(colors=AXES, which="both")
    axes.spines[:].set_color(AXES)
    # Names are shown literally: a dollar sign does not start a formula.
    axes.set_ylabel(harmless(up), color=AXES, parse_math=False)
    axes.set_title(harmless(title), color=AXES, parse_math=False)
    legend = {"labelcolor": AXES, "framealpha": 0}
    figure.legend(loc="outside right upper", **legend) if crowded else axes.legend(**legend)
    axes.grid(color=AXES, alpha=0.3)
    png = io.BytesIO()
    with warnings.catch_warnings():
        # A warning per character that matplotlib's font lacks, as in Chinese; the picture shows it.
        warnings.filterwarnings("ignore", "Glyph ", UserWarning)
        figure.savefig(png, dpi=96, transparent=True)
    return png.getvalue()


def _drawable(numbers: Iterable[float]) -> list[float]:
    """Leave gaps for values too large for matplotlib, as it does for those that are not finite."""
    return [float(number) if abs(number) < _FURTHEST else math.nan for number in numbers]

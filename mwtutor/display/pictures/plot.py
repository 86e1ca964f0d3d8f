"""Curves of every worker, drawn with matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable
from itertools import pairwise
from typing import Any

from mwtutor.exceptions import NoRun
from mwtutor.markup import AXES, CURVES
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless

#: Matplotlib cannot make an axis that reaches much further.
_FURTHEST = 1e300


def curves(run: Run, metric: str) -> bytes:
    """A PNG with one curve per task: the metric over the training steps.

    Curves that coincide, as those of synchronous workers do, stay visible: each is drawn thinner
    than the one before. There is no background, and all colours can be told from white and from
    black: the plot is for a light page and for a dark one.
    """
    history = run.history(metric)
    figure, axes = blank()
    for number, (task, points) in enumerate(history.items()):
        steps, values = zip(*points, strict=True)
        axes.plot(
            _drawable(steps),
            _drawable(values),
            label=str(task),
            linewidth=max(6.0 - 2.0 * number, 1.0),
        )
    return finished(figure, axes, "step", metric, run.name)


def traffic(run: Run) -> bytes:
    """A PNG with one curve per machine: what it has sent in each second, over time.

    Raises:
        NoRun: the run has no machines of its own, or nothing has been counted yet.
    """
    samples, machines = run.traffic(), run.state.machines
    if len(samples) < 2:
        raise NoRun(
            f"{run.name} has counted nothing that its machines have sent.",
            "Launch with --machines, and look when it has begun.",
        )
    figure, axes = blank()
    for number, machine in enumerate(machines):
        seconds = [sample.at - run.state.started for sample in samples[1:]]
        rates = [
            (after.of(number)[0] - before.of(number)[0]) * 8e-6 / max(after.at - before.at, 0.001)
            for before, after in pairwise(samples)
        ]
        axes.step(seconds, rates, label=machine.name, linewidth=max(3.0 - number, 1.0))
    axes.set_ylim(bottom=0)
    return finished(figure, axes, "seconds", "sent, Mbit/s", run.name)


def blank() -> tuple[Any, Any]:
    """A figure, and its axes."""
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_prop_cycle(color=CURVES)
    return figure, axes


def finished(
    figure: Any, axes: Any, across: str, up: str, title: str, *, crowded: bool = False
) -> bytes:
    """The figure with its words, for a light page and for a dark one, as a PNG.

    Args:
        crowded: the names of the curves have no room among them.
    """
    axes.set_xlabel(across, color=AXES)
    axes.tick_params(colors=AXES, which="both")
    axes.spines[:].set_color(AXES)
    # Names are shown as they are: a dollar sign does not start a formula.
    # And of a character without a glyph, matplotlib warns by writing it to the terminal.
    axes.set_ylabel(harmless(up), color=AXES, parse_math=False)
    axes.set_title(harmless(title), color=AXES, parse_math=False)
    legend = {"labelcolor": AXES, "framealpha": 0}
    figure.legend(loc="outside right upper", **legend) if crowded else axes.legend(**legend)
    axes.grid(color=AXES, alpha=0.3)
    png = io.BytesIO()
    figure.savefig(png, dpi=96, transparent=True)
    return png.getvalue()


def _drawable(numbers: Iterable[float]) -> list[float]:
    """Gaps where matplotlib would fail; it already leaves gaps for values that are not finite."""
    return [float(number) if abs(number) < _FURTHEST else math.nan for number in numbers]

"""Curves of every worker, drawn with matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable

from mwtutor.markup import AXES, CURVES
from mwtutor.run.run import Run

#: Matplotlib cannot make an axis that reaches much further.
_FURTHEST = 1e300


def curves(run: Run, metric: str) -> bytes:
    """A PNG with one curve per task: the metric over the training steps.

    Curves that coincide, as those of synchronous workers do, stay visible: each is drawn thinner
    than the one before. There is no background, and all colours can be told from white and from
    black: the plot is for a light page and for a dark one.
    """
    from matplotlib.figure import Figure

    history = run.history(metric)
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.add_subplot()
    axes.set_prop_cycle(color=CURVES)
    for number, (task, points) in enumerate(history.items()):
        steps, values = zip(*points, strict=True)
        axes.plot(
            _drawable(steps),
            _drawable(values),
            label=str(task),
            linewidth=max(6.0 - 2.0 * number, 1.0),
        )
    axes.set_xlabel("step", color=AXES)
    axes.tick_params(colors=AXES)
    axes.spines[:].set_color(AXES)
    # Names are shown as they are: a dollar sign does not start a formula.
    axes.set_ylabel(metric, color=AXES, parse_math=False)
    axes.set_title(run.name, color=AXES, parse_math=False)
    axes.legend(labelcolor=AXES, framealpha=0)
    axes.grid(color=AXES, alpha=0.3)
    png = io.BytesIO()
    figure.savefig(png, dpi=96, transparent=True)
    return png.getvalue()


def _drawable(numbers: Iterable[float]) -> list[float]:
    """Gaps where matplotlib would fail; it already leaves gaps for values that are not finite."""
    return [float(number) if abs(number) < _FURTHEST else math.nan for number in numbers]

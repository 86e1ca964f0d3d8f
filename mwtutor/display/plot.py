"""Curves of every worker, drawn with matplotlib."""

from __future__ import annotations

import io
import math
from collections.abc import Iterable

from mwtutor.run.run import Run

#: Matplotlib cannot make an axis that reaches much further.
_FURTHEST = 1e300


def curves(run: Run, metric: str) -> bytes:
    """A PNG with one curve per task: the metric over the training steps.

    Curves that coincide, as those of synchronous workers do, stay visible: each is drawn thinner
    than the one before.
    """
    from matplotlib.figure import Figure

    history = run.history(metric)
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.add_subplot()
    for number, (task, points) in enumerate(history.items()):
        steps, values = zip(*points, strict=True)
        axes.plot(
            _drawable(steps),
            _drawable(values),
            label=str(task),
            linewidth=max(6.0 - 2.0 * number, 1.0),
        )
    axes.set_xlabel("step")
    # Names are shown as they are: a dollar sign does not start a formula.
    axes.set_ylabel(metric, parse_math=False)
    axes.set_title(run.name, parse_math=False)
    axes.legend()
    axes.grid(alpha=0.3)
    png = io.BytesIO()
    figure.savefig(png, dpi=96)
    return png.getvalue()


def _drawable(numbers: Iterable[float]) -> list[float]:
    """Gaps where matplotlib would fail; it already leaves gaps for values that are not finite."""
    return [float(number) if abs(number) < _FURTHEST else math.nan for number in numbers]

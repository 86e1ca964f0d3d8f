"""Curves of every worker, drawn with matplotlib."""

from __future__ import annotations

import io

from mwtutor.run import Run


def curves(run: Run, metric: str) -> bytes:
    """A PNG with one curve a task: the metric over the training steps.

    Curves that lie on each other, as those of synchronous workers do, stay visible: each later one
    is drawn thinner than the one before.
    """
    from matplotlib.figure import Figure

    history = run.history(metric)
    figure = Figure(figsize=(6.4, 3.2), layout="constrained")
    axes = figure.add_subplot()
    for number, (task, points) in enumerate(history.items()):
        steps, values = zip(*points, strict=True)
        axes.plot(steps, values, label=str(task), linewidth=max(6.0 - 2.0 * number, 1.0))
    axes.set_xlabel("step")
    axes.set_ylabel(metric)
    axes.set_title(run.name)
    axes.legend()
    axes.grid(alpha=0.3)
    png = io.BytesIO()
    figure.savefig(png, dpi=96)
    return png.getvalue()

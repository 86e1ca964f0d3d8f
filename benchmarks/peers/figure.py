"""How the time and memory of a launch grow with the number of workers, as SVG."""

from __future__ import annotations

import statistics
from collections.abc import Mapping, Sequence
from pathlib import Path

FIGURES = ("first step s", "memory MiB")

#: The values of all rounds, by way and number of workers.
Grown = Mapping[str, Mapping[int, Sequence[float]]]


def draw(measured: Mapping[str, Grown], ways: Mapping[str, str], path: Path) -> None:
    """Draw a pair of axes for each of :data:`FIGURES`, with a line for each way that has values."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "peers", "svg.fonttype": "none"})
    from matplotlib import pyplot

    chart, axes = pyplot.subplots(1, len(FIGURES), figsize=(9, 3.6), layout="constrained")
    for figure, axis in zip(FIGURES, axes, strict=True):
        for way, name in ways.items():
            found = {n: rounds for n, rounds in measured[figure].get(way, {}).items() if rounds}
            if found:
                middle = [statistics.median(rounds) for rounds in found.values()]
                width = 2.4 if way == "ours" else 1.2
                axis.plot(list(found), middle, marker="o", markersize=4, lw=width, label=name)
        axis.set(xlabel="workers", title=figure, ylim=(0, None))
        axis.grid(alpha=0.3)
    axes[0].legend(fontsize=8)
    chart.savefig(path, metadata={"Date": None})

"""Curves drawn with characters, for terminals."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from mwtutor.display.panel.training import scale
from mwtutor.display.words import number
from mwtutor.sanitize import harmless

#: Rows of a drawing, and its maximum number of columns.
_ROWS, _COLUMNS = 14, 72

#: One mark per curve; further curves reuse them.
_MARKS = "*+xo#@%&"

Points = Sequence[tuple[float, float]]


def draw(lines: Mapping[str, Points], *, title: str, across: str, columns: int = 80) -> str:
    """Curves over a common axis, with values on the left and a legend below.

    Values that are not finite leave gaps. Where curves meet, the first one is visible.

    Args:
        lines: the ordered points (x, y) of each curve, by name; at least one curve.
        title: the title of the drawing.
        across: the label of the x axis.
        columns: the width of the terminal in characters.
    """
    values = [y for points in lines.values() for _, y in points]
    places = [x for points in lines.values() for x, _ in points]
    finite = [y for y in values if math.isfinite(y)]
    top, bottom = (number(end(finite)) if finite else "" for end in (max, min))
    margin = max(len(top), len(bottom)) + 1
    width = max(min(columns - margin - 2, _COLUMNS), 10)
    grid = [[" "] * width for _ in range(_ROWS)]
    heights, sides = iter(scale(values)), iter(scale(places))
    legend: dict[Points, tuple[str, list[str]]] = {}
    for name, points in lines.items():
        cells = [_cell(next(sides), next(heights), width) for _ in points]
        key = tuple(points)
        if key in legend:  # identical curves share one mark
            legend[key][1].append(harmless(name))
            continue
        mark = _MARKS[len(legend) % len(_MARKS)]
        legend[key] = (mark, [harmless(name)])
        _draw(grid, cells, mark)
    labels = [top, *[""] * (_ROWS - 2), bottom if bottom != top else ""]
    rows = [f"{label:>{margin}} |{''.join(row)}" for label, row in zip(labels, grid, strict=True)]
    first, last = f"{min(places):.6g}", f"{max(places):.6g}"
    axis = f"{first} {harmless(across):^{max(width - len(first) - len(last) - 2, 1)}} {last}"
    return "\n".join(
        [
            harmless(title),
            *(row.rstrip() for row in rows),
            f"{'':>{margin}} +{'-' * width}",
            f"{'':>{margin}}  {axis}",
            "  ".join(f"{mark} {', '.join(names)}" for mark, names in legend.values()),
        ]
    )


def _cell(side: float | None, height: float | None, width: int) -> tuple[int, int] | None:
    """The column and row of a point; None if it is not finite."""
    if side is None or height is None:
        return None
    return round(side * (width - 1)), round((1 - height) * (_ROWS - 1))


def _draw(grid: list[list[str]], cells: Sequence[tuple[int, int] | None], mark: str) -> None:
    before: tuple[int, int] | None = None
    for cell in cells:
        if cell is not None:
            for column, row in _between(before or cell, cell):
                if grid[row][column] == " ":
                    grid[row][column] = mark
        before = cell


def _between(start: tuple[int, int], end: tuple[int, int]) -> list[tuple[int, int]]:
    """The cells of a straight line between two cells."""
    steps = max(abs(end[0] - start[0]), abs(end[1] - start[1]), 1)
    return [
        (
            round(start[0] + (end[0] - start[0]) * step / steps),
            round(start[1] + (end[1] - start[1]) * step / steps),
        )
        for step in range(steps + 1)
    ]

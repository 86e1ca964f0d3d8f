"""Pictures of lessons 00, 07 and 08, drawn from what a notebook has computed or measured."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from mwtutor import svg
from mwtutor.colors import AXES, CURVES

_WRONG = CURVES[3]
_FONT = 13
_CELL_WIDTH, _CELL_HEIGHT = 44, 26

#: Opacity of a box's color; text in it must stand out.
_FAINT = 0.18


@dataclass(frozen=True)
class Picture:
    """An SVG without a background, for light and dark pages, and the same in words."""

    drawn: str
    words: str

    def _repr_mimebundle_(self, include: Any = None, exclude: Any = None) -> dict[str, str]:
        return {"image/svg+xml": self.drawn, "text/plain": self.words}


# -- how a step is split ------------------------------------------------------------------------


def two_ways(rows: int, layers: Mapping[str, int], between_layers: int, gradients: int) -> Picture:
    """Model parallelism on the left, data parallelism on the right.

    Args:
        rows: rows in a batch.
        layers: the bytes of each of the two layers.
        between_layers: bytes sent between the devices if each has one layer.
        gradients: bytes that each device sends if both have all layers.
    """
    first, second = layers
    half = f"rows 0 to {rows // 2 - 1}", f"rows {rows // 2} to {rows - 1}"
    left = _devices(
        20, "Model parallelism", ((f"all {rows} rows", (first,)), (f"all {rows} rows", (second,))),
        f"{between_layers:,} bytes: activations and their gradients",
    )  # fmt: skip
    right = _devices(
        390, "Data parallelism", ((half[0], (first, second)), (half[1], (first, second))),
        f"{gradients:,} bytes each way: gradients",
    )  # fmt: skip
    words = (
        f"Model parallelism: device A has {first}, device B has {second}; all {rows} rows pass "
        f"through both, and {between_layers:,} bytes of activations and their gradients travel. "
        f"Data parallelism: both devices have {first} and {second}; A has {half[0]}, B has "
        f"{half[1]}, and each sends {gradients:,} bytes of gradients."
    )
    return _picture(left + right, 760, 230, words)


def _devices(
    x: int, title: str, devices: Sequence[tuple[str, Sequence[str]]], travels: str
) -> list[str]:
    parts = [_text(x + 165, 20, title, bold=True)]
    names = sorted({layer for _, layers in devices for layer in layers})
    for number, (rows, layers) in enumerate(devices):
        left = x + 190 * number
        parts.append(_box(left, 40, 140, 130, AXES, opacity=0.0))
        parts.append(_text(left + 70, 60, f"device {'AB'[number]}", bold=True))
        parts.append(_text(left + 70, 80, rows))
        for place, layer in enumerate(layers):
            color = CURVES[names.index(layer)]
            parts.append(_box(left + 20, 95 + 36 * place, 100, 28, color, opacity=_FAINT))
            parts.append(_text(left + 70, 114 + 36 * place, layer))
    parts.append(_arrow(x + 143, 105, x + 187, 105))
    parts.append(_arrow(x + 187, 135, x + 143, 135))
    parts.append(_text(x + 165, 205, travels))
    return parts


# -- who waits ----------------------------------------------------------------------------------

#: A worker, the start and end of its computation, and the number of updates that others made
#: meanwhile.
Bar = tuple[int, float, float, int]


def timelines(logs: Mapping[str, Sequence[Bar]], until: float) -> Picture:
    """When each worker computed a gradient, and how stale each gradient was when it was applied.

    Args:
        logs: by heading, the gradients: worker, start, end, staleness in updates.
        until: the end of the time axis.
    """
    parts: list[str] = []
    words: list[str] = []
    y, scale = 10, 640 / until
    for heading, log in logs.items():
        parts.append(_text(10, y + 14, heading, bold=True, anchor="start"))
        workers = sorted({worker for worker, *_ in log})
        for worker in workers:
            y += 32
            parts.append(_text(10, y + 14, f"worker {worker}", anchor="start"))
            waits_from = 0.0
            for _, start, end, stale in (bar for bar in log if bar[0] == worker):
                if start > waits_from:
                    parts.append(_wait(91 + waits_from * scale, 91 + start * scale, y + 10))
                waits_from = end
                width = (end - start) * scale - 2
                color = CURVES[worker % len(CURVES)]
                parts.append(_box(91 + start * scale, y, width, 20, color, opacity=_FAINT))
                parts.append(_text(91 + start * scale + width / 2, y + 15, str(stale)))
            if until > waits_from:
                parts.append(_wait(91 + waits_from * scale, 91 + until * scale, y + 10))
        busy = {w: sum(end - start for v, start, end, _ in log if v == w) for w in workers}
        shares = ", ".join(f"worker {w} {busy[w] / until:.0%}" for w in workers)
        stalest = max(bar[3] for bar in log)
        words.append(
            f"{heading}: {len(log)} gradients in {until:g} units of time; computing: {shares} of "
            f"the time; the stalest gradient was {stalest} updates old."
        )
        y += 44
    return _picture(parts, 760, y, " ".join(words))


def _wait(start: float, end: float, y: float) -> str:
    return _line(start, y, end - 3, y, AXES, width=1, dash="2 4")


# -- a ring, step by step -----------------------------------------------------------------------

#: The operation on arriving chunks, and the transfers: source, target, chunk.
Step = tuple[str, Sequence[tuple[int, int, int]]]


def ring(states: Sequence[Sequence[Any]], steps: Sequence[Step], total: Sequence[float]) -> Picture:
    """The chunks of all workers before and after each step, and the transfers in between.

    Args:
        states: each worker's array at each moment; one number is one chunk.
        steps: what happened between two moments.
        total: the sum that everyone should have at the end.
    """
    workers, chunks = len(states[0]), len(states[0][0])
    gap = 50
    left = [120 + worker * (chunks * _CELL_WIDTH + gap) for worker in range(workers)]
    parts = [
        _text(x + chunks * _CELL_WIDTH / 2, 18, f"worker {worker}", bold=True)
        for worker, x in enumerate(left)
    ]

    def middle(worker: int, chunk: int) -> float:
        return left[worker] + (chunk + 0.5) * _CELL_WIDTH

    below = 74
    for moment, state in enumerate(states):
        y = 30 + moment * below
        label = "start" if not moment else f"step {moment}: {steps[moment - 1][0]}"
        parts.append(_text(10, y + 18, label, anchor="start"))
        moved = steps[moment - 1][1] if moment else ()
        for source, target, chunk in moved:
            start, end = middle(source, chunk), middle(target, chunk)
            color = CURVES[chunk % len(CURVES)]
            parts.append(_arrow(start, y - below + _CELL_HEIGHT + 1, end, y - 2, color))
        arrived = {(target, chunk) for _, target, chunk in moved}
        for worker, array in enumerate(state):
            for chunk, number in enumerate(array):
                wrong = moment == len(states) - 1 and number != total[chunk]
                color = _WRONG if wrong else CURVES[chunk % len(CURVES)]
                x = left[worker] + chunk * _CELL_WIDTH
                thick = wrong or (worker, chunk) in arrived
                complete = number == total[chunk]
                parts.append(
                    _box(
                        x,
                        y,
                        _CELL_WIDTH - 3,
                        _CELL_HEIGHT,
                        color,
                        opacity=_FAINT if complete else 0.0,
                        line=3 if thick else 1,
                    )
                )
                shown = f"{'≠ ' if wrong else ''}{number:g}"
                parts.append(_text(x + _CELL_WIDTH / 2 - 1, y + 18, shown, bold=complete))
    words = [f"start: {_listed(states[0])}"]
    for number, (step, state) in enumerate(zip(steps, states[1:], strict=True), start=1):
        moves = ", ".join(f"{a}→{b} chunk {chunk}" for a, b, chunk in step[1])
        words.append(f"step {number}, {step[0]} what arrives ({moves}): {_listed(state)}")
    words.append(f"the sum is {[float(number) for number in total]}")
    height = 30 + (len(states) - 1) * below + _CELL_HEIGHT + 14
    return _picture(parts, left[-1] + chunks * _CELL_WIDTH + 10, height, "\n".join(words))


def _listed(state: Sequence[Any]) -> str:
    return " ".join(str([float(number) for number in array]) for array in state)


# -- who sent how much to whom ------------------------------------------------------------------


def traffic(measured: Mapping[str, Any], unit: float) -> Picture:
    """Workers in a circle, with an arrow for the bytes between each pair.

    Args:
        measured: by heading, a square array: bytes from worker (row) to worker (column).
        unit: the number of bytes that counts as 1.
    """
    parts: list[str] = []
    words: list[str] = []
    for number, (heading, matrix) in enumerate(measured.items()):
        x, y, radius = 125 + 250 * number, 150, 75
        parts.append(_text(x, 20, heading, bold=True))
        angles = [2 * math.pi * i / len(matrix) - math.pi / 2 for i in range(len(matrix))]
        places = [(x + radius * math.cos(a), y + radius * math.sin(a)) for a in angles]
        told = []
        for i, row in enumerate(matrix):
            for j, count in enumerate(row):
                if count < 0.01 * unit:
                    continue
                comes_back = matrix[j][i] >= 0.01 * unit
                parts += _labeled(
                    places[i], places[j], f"{count / unit:.2f}", CURVES[i],
                    away_from=None if comes_back else (x, y),
                )  # fmt: skip
                told.append(f"worker {i} to worker {j}: {count / unit:.2f}")
        for i, (px, py) in enumerate(places):
            parts.append(_box(px - 17, py - 15, 34, 30, CURVES[i], opacity=_FAINT))
            parts.append(_text(px, py + 5, str(i), bold=True))
        words.append(f"{heading}, in multiples of the tensor: {', '.join(told) or 'nothing'}.")
    return _picture(parts, 250 * len(measured), 250, "\n".join(words))


_Place = tuple[float, float]


def _labeled(
    start: _Place, end: _Place, label: str, color: str, away_from: _Place | None
) -> list[str]:
    """An arrow with a label on its right, or on the side away from a given position."""
    length = math.dist(start, end)
    ux, uy = (end[0] - start[0]) / length, (end[1] - start[1]) / length
    nx, ny = -uy, ux  # to the right, seen along the arrow
    middle = (start[0] + end[0]) / 2, (start[1] + end[1]) / 2
    if away_from and nx * (middle[0] - away_from[0]) + ny * (middle[1] - away_from[1]) < 0:
        nx, ny = -nx, -ny
    beside = 0 if away_from else 7  # room for an arrow in the opposite direction
    sx, sy = start[0] + 24 * ux + beside * nx, start[1] + 24 * uy + beside * ny
    ex, ey = end[0] - 24 * ux + beside * nx, end[1] - 24 * uy + beside * ny
    lx, ly = middle[0] + (beside + 20) * nx, middle[1] + (beside + 14) * ny + 5
    return [_arrow(sx, sy, ex, ey, color), _text(lx, ly, label)]


# -- what gather and reduce give, and which files are left --------------------------------------


def gathered(rows: Mapping[str, Sequence[int]], given: Mapping[str, Mapping[str, Any]]) -> Picture:
    """Each task's rows, all rows that ``gather`` gives it, and the sum that ``reduce`` gives.

    Args:
        rows: by task, its rows.
        given: by task, the results named ``gather`` and ``SUM axis=0``.
    """
    parts: list[str] = []
    words: list[str] = []
    tasks = sorted(rows)
    colors = {row: CURVES[at] for at, task in enumerate(tasks) for row in rows[task]}
    for column, task in enumerate(tasks):
        x, every, total = 20 + 300 * column, given[task]["gather"], given[task]["SUM axis=0"]
        lanes = [(f"{task} has", rows[task]), ("gather gives it", every)]
        for lane, (heading, numbers) in enumerate([*lanes, ("reduce gives it", [total])]):
            y = 18 + 70 * lane
            parts.append(_text(x, y, heading, bold=lane == 0, anchor="start"))
            for at, number in enumerate(numbers):
                color = AXES if lane == 2 else colors[number]
                parts.append(_box(x + 34 * at, y + 10, 30, 26, color, opacity=_FAINT))
                parts.append(_text(x + 34 * at + 15, y + 28, str(number)))
        words.append(f"{task} has {rows[task]}, gather gives it {every}, reduce gives it {total}.")
    return _picture(parts, 300 * len(tasks), 205, "\n".join(words))


def saved_files(files: Mapping[str, tuple[str, int, bool]]) -> Picture:
    """For each task, the file that it has saved: its path, its bytes, and whether it is there."""
    parts: list[str] = []
    words: list[str] = []
    for column, (task, (path, size, there)) in enumerate(sorted(files.items())):
        x = 10 + 300 * column
        folder, _, name = path.rpartition("/")
        fate = "is still there" if there else "saved, then removed"
        parts.append(_text(x, 20, task, bold=True, anchor="start"))
        parts.append(_box(x, 32, 280, 72, AXES, opacity=_FAINT if there else 0))
        for line, shown in enumerate([f"{folder}/", f"{name}, {size // 1024} KiB", fate]):
            parts.append(_text(x + 10 + 20 * (line == 1), 54 + 20 * line, shown, anchor="start"))
        words.append(f"{task}: {path}, {fate}")
    return _picture(parts, 300 * len(files), 115, "\n".join(words))


# -- elements -----------------------------------------------------------------------------------


def _picture(parts: Sequence[str], width: float, height: float, words: str) -> Picture:
    drawn = svg.element(
        "svg",
        svg.element("desc", escape(words)),
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        width=width,
        height=height,
        viewBox=f"0 0 {width:g} {height:g}",
        role="img",
        aria_label=words,
        font_family="sans-serif",
        font_size=_FONT,
    )
    return Picture(drawn, words)


def _text(x: float, y: float, words: str, *, bold: bool = False, anchor: str = "middle") -> str:
    weight = {"font_weight": "bold"} if bold else {}
    return svg.text(words, x, y, text_anchor=anchor, fill=AXES, **weight)


def _box(
    x: float, y: float, width: float, height: float, color: str, opacity: float, line: float = 1
) -> str:
    # Opacity is passed as text, because numbers are rounded to a tenth.
    return svg.element(
        "rect", x=x, y=y, width=width, height=height, rx=3,
        fill=color, fill_opacity=str(opacity), stroke=color, stroke_width=line,
    )  # fmt: skip


def _line(
    x: float, y: float, to_x: float, to_y: float, color: str, width: float = 1.5, dash: str = ""
) -> str:
    dashed = {"stroke_dasharray": dash} if dash else {}
    return svg.element(
        "line", x1=x, y1=y, x2=to_x, y2=to_y, stroke=color, stroke_width=width, **dashed
    )


def _arrow(x: float, y: float, to_x: float, to_y: float, color: str = AXES) -> str:
    angle = math.atan2(to_y - y, to_x - x)
    corners = [(to_x, to_y)] + [
        (to_x - 9 * math.cos(angle + turn), to_y - 9 * math.sin(angle + turn))
        for turn in (0.4, -0.4)
    ]
    points = " ".join(f"{px:.1f},{py:.1f}" for px, py in corners)
    return _line(x, y, to_x, to_y, color) + svg.element("polygon", points=points, fill=color)

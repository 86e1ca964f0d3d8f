"""The variables of a session, as a table and as a picture of each task's variables."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from html import escape

from mwtutor import svg
from mwtutor.cluster import TaskId
from mwtutor.colors import AXES, CURVES
from mwtutor.display.words import in_bytes, lined_up
from mwtutor.markup import panel, row, table, wide
from mwtutor.sanitize import harmless
from mwtutor.sessions.variables import Piece, Variable

_HEADER = ("variable", "shape", "dtype", "bytes", "where")

#: Dimensions of the picture in pixels, and the approximate width of a character.
_WIDTH, _LEFT, _LANE, _GAP, _CHARACTER = 760.0, 80.0, 28.0, 12.0, 7.0

#: Maximum number of boxes in a lane; the smallest are merged.
_BOXES = 24


class Placement:
    """Variables and their places, displayed as HTML or text, whichever the front end supports."""

    def __init__(self, name: str, variables: Sequence[Variable]) -> None:
        self.name = harmless(name)
        self.variables = tuple(variables)

    def __repr__(self) -> str:
        if not self.variables:
            return self._head()
        lines = lined_up([_HEADER, *map(_cells, self.variables)])
        return "\n".join([self._head(), *(f"  {line}" for line in lines)])

    def _repr_html_(self) -> str:
        rows = [row(*map(escape, _cells(variable))) for variable in self.variables]
        head = f"<div>{escape(self._head())}</div>"
        if not rows:
            return panel(head)
        return panel(head, wide(as_svg(self.variables)), table(_HEADER, rows))

    def _head(self) -> str:
        count = len(self.variables)
        facts = [self.name, f"{count} variable{'s' * (count != 1)}"]
        facts += [f"{lane.task} keeps {in_bytes(lane.bytes)}" for lane in lanes(self.variables)]
        return " · ".join(facts)


@dataclass(frozen=True)
class Lane:
    """The variables that one task keeps, and their sizes."""

    task: TaskId
    boxes: tuple[tuple[str, int], ...]

    @property
    def bytes(self) -> int:
        return sum(size for _, size in self.boxes)


def lanes(variables: Iterable[Variable]) -> list[Lane]:
    """Each task's variables, the largest first. Unknown sizes do not count."""
    kept: dict[TaskId, list[tuple[str, int]]] = {}
    for variable in variables:
        for piece in variable.pieces:
            kept.setdefault(piece.task, []).append((variable.name, piece.bytes or 0))
    return [
        Lane(task, tuple(sorted(kept[task], key=lambda box: -box[1])))
        for task in sorted(kept, key=lambda task: (task.type, task.index))
    ]


def as_svg(variables: Sequence[Variable]) -> str:
    """The picture: a lane per task, with a box per variable; a box's width shows its size."""
    drawn = lanes(variables)
    largest = max((lane.bytes for lane in drawn), default=0)
    if not largest:
        return ""
    scale = (_WIDTH - _LEFT - 90) / largest
    colors = {variable.name: CURVES[n % len(CURVES)] for n, variable in enumerate(variables)}
    parts = [part for n, lane in enumerate(drawn) for part in _lane(lane, n, scale, colors)]
    height = len(drawn) * (_LANE + _GAP) + _GAP
    words = ". ".join(
        f"{lane.task} keeps {in_bytes(lane.bytes)}: "
        + ", ".join(f"{name} {in_bytes(size)}" for name, size in _boxes(lane))
        for lane in drawn
    )
    return svg.element(
        "svg", svg.element("desc", svg.words_of(words)), *parts, role="img", aria_label=words,
        viewBox=f"0 0 {_WIDTH:g} {height:g}", width="100%",
        style=f"max-width:{_WIDTH:g}px", font_family="sans-serif", font_size=12,
    )  # fmt: skip


def _lane(lane: Lane, number: int, scale: float, colors: dict[str, str]) -> list[str]:
    y = _GAP + number * (_LANE + _GAP)
    middle = y + _LANE / 2 + 4
    parts = [svg.text(str(lane.task), 0.0, middle, fill="currentColor")]
    x = _LEFT
    for name, size in _boxes(lane):
        width = max(size * scale, 1.0)
        box = svg.element(
            "rect", svg.title(f"{name}: {in_bytes(size)} on {lane.task}"), x=x, y=y, width=width,
            height=_LANE, fill=colors.get(name, AXES), fill_opacity=".25",
            stroke=colors.get(name, AXES),
        )  # fmt: skip
        parts.append(box)
        names = (name, name.rpartition("/")[2])
        if fitting := next((one for one in names if len(one) * _CHARACTER < width), ""):
            place = {"text_anchor": "middle", "fill": "currentColor"}
            parts.append(svg.text(fitting, x + width / 2, middle, **place))
        x += width
    parts.append(svg.text(in_bytes(lane.bytes), x + 8, middle, fill="currentColor"))
    return parts


def _boxes(lane: Lane) -> list[tuple[str, int]]:
    rest = lane.boxes[_BOXES:]
    boxes = list(lane.boxes[:_BOXES])
    return [*boxes, (f"{len(rest)} others", sum(size for _, size in rest))] if rest else boxes


def _cells(variable: Variable) -> tuple[str, ...]:
    size = "?" if variable.bytes is None else in_bytes(variable.bytes)
    return (variable.name, _shape(variable.shape), variable.dtype, size, _where(variable))


def _where(variable: Variable) -> str:
    pieces = variable.pieces
    if variable.parts:
        return ", ".join(f"{_place(piece, pieces)} {_shape(piece.shape)}" for piece in pieces)
    *rest, last = [_place(piece, pieces) for piece in pieces]
    return f"a copy on {', '.join(rest)} and {last}" if rest else last


def _place(piece: Piece, pieces: Sequence[Piece]) -> str:
    """The piece's task, and its device unless that is a CPU and the only device."""
    several = sum(other.task == piece.task for other in pieces) > 1
    named = piece.device and (several or not piece.device.startswith("CPU"))
    return f"{piece.task} {piece.device}" if named else str(piece.task)


def _shape(shape: Sequence[int | None]) -> str:
    words = ["?" if n is None else str(n) for n in shape]
    return f"({words[0]},)" if len(words) == 1 else f"({', '.join(words)})"

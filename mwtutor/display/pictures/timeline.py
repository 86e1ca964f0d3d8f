"""A run over time, as a picture (SVG) and as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from html import escape
from itertools import groupby

from mwtutor import svg
from mwtutor.colors import AXES, CURVES
from mwtutor.display.panel.text import task_names
from mwtutor.display.pictures import steps
from mwtutor.display.words import duration, lined_up
from mwtutor.markup import panel, row, table, wide
from mwtutor.run.observations.timeline import Lane, Span, Timeline
from mwtutor.run.record.task_status import SILENT
from mwtutor.sanitize import harmless

#: Each kind of span: its color, its letter in text, and its legend.
LOOKS = {
    "starting": ("#a0a0a0", ".", "starting: its process is being created"),
    "joining": (AXES, "j", "its program runs, but has not joined the cluster"),
    "waiting": (CURVES[1], "w", "in the cluster, waiting for others to join"),
    "running": (CURVES[5], "-", "running, before the first reported step or after the last"),
    "training": (CURVES[0], "#", "training, by epochs"),
    "evaluating": (CURVES[2], "e", "evaluating"),
    "predicting": ("#b08d1f", "p", "predicting"),
    "saving": (CURVES[4], "s", "saving"),
    "cell": (CURVES[0], "#", "executing a cell"),
    "idle": ("#c8c8c8", "i", "idle: waiting for a cell"),
    "serving": ("#7fa7a9", "-", "serving others"),
    "computing": (CURVES[0], "c", "computing closures that the chief scheduled"),
}
_BAD = CURVES[3]

#: Pixels: the width of the picture, and the margins of the lanes.
_WIDTH, _LEFT, _RIGHT = 920.0, 96.0, 16.0
_TOP, _AXIS, _LEGEND = 34.0, 26.0, 20.0

#: The approximate width of a label's character.
_CHARACTER = 6.2

#: Maximum number of spans drawn individually; with more spans, about how many pieces are drawn.
_SPANS, _PIECES = 300, 4000

_STYLE = (
    ".mw-timeline text{fill:currentColor}.mw-timeline .mw-in{fill:#000}"
    ".mw-timeline .mw-dim{opacity:.75}"
)


class Drawn:
    """A timeline that displays itself as a picture or as text, whichever the front end supports."""

    def __init__(self, name: str, content: Timeline, *, steps: bool = False) -> None:
        self.name = harmless(name)
        self.content = content if steps else replace(content, steps=None)

    def __repr__(self) -> str:
        return as_text(self.name, self.content)

    def _repr_html_(self) -> str:
        parts = [wide(as_svg(self.name, self.content))]
        if (times := self.content.steps) is not None:
            cells = [[escape(cell) for cell in one] for one in steps.rows(times)]
            parts.append(f"<div><b>{escape(steps.verdict(times))}</b></div>")
            parts.append(table(steps.header(times), [row(*one) for one in cells]))
            parts.append(f'<div class="mw-faint">{escape(steps.remark(times))}</div>')
        text = escape(repr(self))
        parts.append(f"<details><summary>As text</summary><pre>{text}</pre></details>")
        return panel(*parts)

    def file(self) -> bytes:
        """An SVG file with its own background."""
        return as_svg(self.name, self.content, alone=True).encode()


@dataclass(frozen=True)
class _Frame:
    """Maps time to positions in the picture."""

    begin: float
    seconds: float
    lane: float
    gap: float
    lanes: int
    columns: int
    coarse: bool

    @classmethod
    def from_timeline(cls, content: Timeline) -> _Frame:
        many = len(content.lanes) > 16
        seconds = max(content.end - content.begin, 1e-3)
        return cls(
            content.begin,
            seconds,
            *((9.0, 3.0) if many else (22.0, 8.0)),
            lanes=len(content.lanes),
            columns=min(max(_PIECES // len(content.lanes), 50), 800) if content.lanes else 1,
            coarse=sum(len(lane.spans) for lane in content.lanes) > _SPANS,
        )

    def x(self, at: float) -> float:
        share = (at - self.begin) / self.seconds
        return _LEFT + min(max(share, 0.0), 1.0) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, row: int) -> float:
        return _TOP + row * (self.lane + self.gap)

    @property
    def bottom(self) -> float:
        return self.y(self.lanes)


def place(content: Timeline) -> tuple[float, float, float, float]:
    """Where the picture's time axis begins and ends (x), and its lanes begin and end (y)."""
    frame = _Frame.from_timeline(content)
    return frame.x(content.begin), frame.x(content.end), _TOP, frame.bottom


def as_svg(name: str, content: Timeline, *, alone: bool = False) -> str:
    """The timeline as a picture.

    Args:
        alone: whether it is a standalone file, not part of a page.
    """
    frame = _Frame.from_timeline(content)
    used = [kind for kind in LOOKS if any(lane.seconds(kind) for lane in content.lanes)]
    entries = [(LOOKS[kind][0], LOOKS[kind][2]) for kind in used]
    legend = frame.bottom + _AXIS + 12
    bottom = legend + math.ceil(len(used) / 2) * _LEGEND
    below: list[str] = []
    if any(lane.silences for lane in content.lanes):
        words = (
            f"Stripes: the task neither reported nor printed anything for {SILENT:g} s or longer."
        )
        below.append(svg.text(words, _LEFT, bottom + 8, fill=AXES))
        bottom += 14
    if content.steps is not None:
        lower = steps.Picture(content.steps, _LEFT, _WIDTH - _LEFT - _RIGHT, bottom + 28)
        below += lower.parts()
        bottom += 28 + lower.height
        meanings = [(looks[0], looks[2]) for looks in steps.LOOKS.values()]
        below += _legend(meanings, bottom, columns=1)
        bottom += len(meanings) * _LEGEND
        below.append(svg.text(steps.NOTE, _LEFT, bottom + 8, fill=AXES, font_size=10))
        bottom += 14
    height = bottom + 8
    summary = "; ".join(_sentences(content)) or "nothing has happened yet"
    parts = [
        svg.title(f"Timeline of {name}"),
        svg.element("desc", svg.words_of(summary)),
        svg.element("style", _STYLE + (svg.OWN_GROUND if alone else "")),
        svg.text(name, _LEFT, 18.0, font_size=14, font_weight="bold", fill=AXES),
        *_axis(frame),
        *(part for row, lane in enumerate(content.lanes) for part in _lane(frame, row, lane)),
        *(_attempt(frame, at, number) for number, at in enumerate(content.attempts, 2)),
        *_legend(entries, legend),
        *below,
    ]
    return svg.element(
        "svg",
        *parts,
        xmlns="http://www.w3.org/2000/svg",
        viewBox=f"0 0 {_WIDTH:.0f} {height:.0f}",
        width="100%" if not alone else f"{_WIDTH:.0f}",
        style=f"max-width:{1.3 * _WIDTH:.0f}px",
        class_="mw-timeline",
        role="img",
        aria_label=f"Timeline of {name}: {summary}",
        font_family="system-ui,sans-serif",
        font_size=11,
    )


def _axis(frame: _Frame) -> Iterator[str]:
    for second in _ticks(frame.seconds):
        x = frame.x(frame.begin + second)
        yield svg.element(
            "path", d=f"M{x:.1f} {_TOP - 4:.0f}V{frame.bottom:.0f}", stroke=AXES, stroke_opacity=0.4
        )
        words = _moment(second, frame.seconds)
        yield svg.text(words, x, frame.bottom + 13, text_anchor="middle", fill=AXES)


def _ticks(seconds: float) -> list[float]:
    rough = seconds / 8
    power = 10 ** math.floor(math.log10(rough))
    steps = [60.0, 120.0, 300.0, 600.0, 1800.0, 3600.0, 7200.0, 21600.0, 86400.0]
    nice = [power, 2 * power, 5 * power, 10 * power] if rough < 30 else steps
    step = next((one for one in nice if one >= rough), math.ceil(rough / 86400) * 86400.0)
    return [number * step for number in range(int(seconds / step) + 1)]


def _moment(second: float, total: float) -> str:
    if total < 120:
        return f"{second:.10g} s"
    minutes, rest = divmod(round(second), 60)
    if minutes < 60:
        return f"{minutes}:{rest:02} min"
    return f"{minutes // 60}:{minutes % 60:02} h"


def _lane(frame: _Frame, row: int, lane: Lane) -> Iterator[str]:
    y = frame.y(row)
    middle = y + frame.lane / 2
    small = frame.lane < 15
    size = 8.5 if small else 12
    yield svg.text(
        str(lane.task), _LEFT - 8, middle + size / 3, text_anchor="end", font_size=size, fill=AXES
    )
    if frame.coarse:
        yield _coarse(frame, y, lane)
    else:
        yield from (_span(frame, y, span, named=not small) for span in lane.spans)
    for begin, end in lane.silences:
        yield _silence(frame, y, begin, end)
    for mark in lane.marks:
        if mark.kind != "succeeded":
            yield _cross(frame.x(mark.at), middle, f"{mark.kind}: {mark.words}".rstrip(": "))


def _coarse(frame: _Frame, y: float, lane: Lane) -> str:
    """A lane with too many spans to draw individually: each column shows its longest kind."""
    kinds = _columns(lane, frame.begin, frame.seconds, frame.columns)
    width = (_WIDTH - _LEFT - _RIGHT) / frame.columns
    paths: dict[str, list[str]] = {}
    at = 0
    for kind, group in groupby(kinds):
        length = len(list(group))
        if kind:
            x, wide = _LEFT + at * width, length * width
            shape = f"M{x:.1f} {y:.1f}h{wide:.1f}v{frame.lane:.0f}h{-wide:.1f}z"
            paths.setdefault(kind, []).append(shape)
        at += length
    shapes = [svg.element("path", d="".join(shape), fill=LOOKS[kind][0])
              for kind, shape in paths.items()]  # fmt: skip
    shares = ", ".join(f"{kind} {duration(lane.seconds(kind))}" for kind in paths)
    return svg.element("g", svg.title(f"{lane.task}: {shares}"), *shapes)


def _silence(frame: _Frame, y: float, begin: float, end: float) -> str:
    """Stripes over the time during which a task was silent."""
    x, right = frame.x(begin), frame.x(end)
    half = frame.lane / 2
    stripes = range(int(x), max(int(right - half), int(x) + 1), 7)
    shape = "".join(f"M{at} {y + frame.lane:.0f}l{half:.0f} {-frame.lane:.0f}" for at in stripes)
    words = f"silent: {duration(end - begin)}, from {begin - frame.begin:.2f} s on"
    lines = svg.element("path", d=shape, stroke="#000000", stroke_opacity=0.55)
    box = {"x": x, "y": y, "width": max(right - x, 0.4), "height": frame.lane}
    return svg.element("g", svg.title(words), lines,
                       svg.element("rect", fill="#000000", fill_opacity=0.0, **box))  # fmt: skip


def _span(frame: _Frame, y: float, span: Span, *, named: bool) -> str:
    x, end = frame.x(span.begin), frame.x(span.end)
    width = max(end - x - 0.6, 0.4)
    box = {"x": x, "y": y, "width": width, "height": frame.lane, "fill": LOOKS[span.kind][0]}
    parts = [svg.element("rect", rx=2, **box)]
    label = next((one for one in _labels(span) if len(one) * _CHARACTER < width - 4), "")
    if named and label:
        at = {"text_anchor": "middle", "class_": "mw-in", "fill": "#000000"}
        parts.append(svg.text(label, x + width / 2, y + frame.lane / 2 + 4, **at))
    return svg.element("g", svg.title(_tale(span, frame.begin)), *parts)


def _labels(span: Span) -> list[str]:
    """Possible labels of a span, the longest first."""
    number = str(span.number)
    if span.kind == "training":
        return [f"epoch {number}", number] if span.number else ["training"]
    if span.kind == "computing" and span.number:
        return [_closures(span.number), number]
    if span.kind == "cell":
        return [f"cell {number}", number] if span.number else ["cell"]
    if span.kind == "waiting" and span.awaited:
        return [f"waiting for {task_names(span.awaited)}", "waiting"]
    return [span.kind]


def _closures(number: int) -> str:
    return f"{number} closure{'s' * (number != 1)}"


def _tale(span: Span, begin: float) -> str:
    words = max(_labels(span), key=len)
    return f"{words}: {duration(span.seconds)}, from {span.begin - begin:.2f} s on"


def _cross(x: float, y: float, words: str) -> str:
    cross = f"M{x - 4:.1f} {y - 4:.1f}l8 8m0 -8l-8 8"
    shape = svg.element("path", d=cross, stroke=_BAD, stroke_width=2.5, fill="none")
    return svg.element("g", svg.title(words), shape)


def _attempt(frame: _Frame, at: float, number: int) -> str:
    x = frame.x(at)
    line = svg.element(
        "path",
        d=f"M{x:.1f} {_TOP - 8:.0f}V{frame.bottom:.0f}",
        stroke=_BAD,
        stroke_dasharray="4 3",
    )
    return line + svg.text(f"attempt {number}", x + 3, _TOP - 6, fill=AXES, font_size=10)


def _legend(entries: Sequence[tuple[str, str]], top: float, *, columns: int = 2) -> Iterator[str]:
    """The colors and their meanings."""
    for place, (color, words) in enumerate(entries):
        x = _LEFT + (place % columns) * (_WIDTH - _LEFT - _RIGHT) / columns
        y = top + place // columns * _LEGEND
        yield svg.element("rect", x=x, y=y, width=12, height=12, rx=2, fill=color)
        yield svg.text(words, x + 18, y + 10, fill=AXES)


# -- text -----------------------------------------------------------------------------------

_COLUMNS = 64

#: Minimum seconds of waiting that are mentioned in text.
_WORTH_SAYING = 0.05

#: Maximum number of sentences below a picture.
_MOST_SAID = 24


def as_text(name: str, content: Timeline) -> str:
    """The timeline for a terminal: a letter for each task's main activity per time interval."""
    width = max((len(str(lane.task)) for lane in content.lanes), default=0)
    seconds = max(content.end - content.begin, 1e-3)
    lines = [f"{name}: {duration(seconds)}" + ", and it continues" * content.goes_on]
    lines += [f"  {lane.task!s:{width}} |{_letters(lane, content)}|" for lane in content.lanes]
    used = [kind for kind in LOOKS if any(lane.seconds(kind) for lane in content.lanes)]
    lines += [f"  {LOOKS[kind][1]} {LOOKS[kind][2]}" for kind in used]
    lines += [f"  {sentence}" for sentence in _sentences(content)]
    return "\n".join([*lines, *_table(content)])


def _table(content: Timeline) -> list[str]:
    if (times := content.steps) is None:
        return []
    lines = lined_up([steps.header(times), *steps.rows(times)])
    meanings = [f"{looks[1]}: {looks[2]}" for looks in steps.LOOKS.values()]
    said = [one for one in (*lines, steps.verdict(times), steps.remark(times), *meanings) if one]
    return ["", *(f"  {line}" for line in said)]


def _letters(lane: Lane, content: Timeline) -> str:
    seconds = max(content.end - content.begin, 1e-3)
    kinds = _columns(lane, content.begin, seconds, _COLUMNS)
    found = [LOOKS[kind][1] if kind else " " for kind in kinds]
    for mark in lane.marks:
        if mark.kind != "succeeded":
            place = int(_COLUMNS * (mark.at - content.begin) / seconds)
            found[min(place, _COLUMNS - 1)] = "X"
    return "".join(found)


def _columns(lane: Lane, begin: float, seconds: float, count: int) -> list[str]:
    """A task's main activity in each of this many time intervals; empty where it did not exist."""
    step = seconds / count
    sums: list[dict[str, float]] = [{} for _ in range(count)]
    for span in lane.spans:
        first = max(int((span.begin - begin) / step), 0)
        last = min(int((span.end - begin) / step), count - 1)
        for place in range(first, last + 1):
            left = begin + place * step
            here = min(span.end, left + step) - max(span.begin, left)
            sums[place][span.kind] = sums[place].get(span.kind, 0.0) + here
    return [max(one, key=lambda kind: one[kind]) if one else "" for one in sums]


def _sentences(content: Timeline) -> list[str]:
    """Which tasks waited for which, and how each unsuccessful task ended."""
    found = []
    for lane in content.lanes:
        for span in lane.spans:
            if span.kind == "waiting" and span.seconds >= _WORTH_SAYING:
                awaited = task_names(span.awaited) or "the others"
                found.append(f"{lane.task} waited {duration(span.seconds)} for {awaited} to join")
        if any(span.kind == "computing" for span in lane.spans):
            number = sum(span.number for span in lane.spans if span.kind == "computing")
            within = duration(lane.seconds("computing"))
            found.append(f"{lane.task} computed {_closures(number)} in {within}")
        for begin, end in lane.silences:
            when = duration(begin - content.begin)
            found.append(f"{lane.task} was silent for {duration(end - begin)}, after {when}")
        for mark in lane.marks:
            if mark.kind != "succeeded":
                when = duration(mark.at - content.begin)
                words = f": {harmless(mark.words)}" if mark.words else ""
                found.append(f"{lane.task} {mark.kind} after {when}{words}")
    if len(found) > _MOST_SAID:
        found[_MOST_SAID:] = [f"and {len(found) - _MOST_SAID} more like these"]
    return found

"""A run over time, as a picture (SVG) and as text."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from mwtutor.display import svg
from mwtutor.display.status import duration
from mwtutor.display.text import task_names
from mwtutor.markup import AXES, CURVES, panel
from mwtutor.run.timeline import Lane, Span, Timeline
from mwtutor.sanitize import harmless

#: Each kind of span: its colour, its letter in text, and what the legend says of it.
LOOKS = {
    "starting": ("#a0a0a0", ".", "starting: its process is being made"),
    "joining": (AXES, "j", "its program runs, and has not joined the cluster"),
    "waiting": (CURVES[1], "w", "in the cluster, waiting for others to join"),
    "running": (CURVES[5], "-", "running, before it reports a step or after the last"),
    "training": (CURVES[0], "#", "training, by epochs"),
    "evaluating": (CURVES[2], "e", "evaluating"),
    "predicting": ("#b08d1f", "p", "predicting"),
    "saving": (CURVES[4], "s", "saving"),
    "cell": (CURVES[0], "#", "executing a cell"),
    "serving": ("#7fa7a9", "-", "serving others"),
}
_BAD = CURVES[3]

#: Pixels: the picture, and the room for names left of the lanes.
_WIDTH, _LEFT, _RIGHT = 920.0, 96.0, 16.0
_TOP, _AXIS, _LEGEND = 34.0, 26.0, 20.0

#: The width of a character of the labels, about.
_CHARACTER = 6.2

_STYLE = (
    ".mw-timeline text{fill:currentColor}.mw-timeline .mw-in{fill:#000}"
    ".mw-timeline .mw-dim{opacity:.75}"
)
_OWN_GROUND = (
    "svg{color:#1f2328;background:#fff}"
    "@media(prefers-color-scheme:dark){svg{color:#e6e6e6;background:#111}}"
)


class Drawn:
    """A timeline that displays itself as its surroundings allow: as a picture or as text."""

    def __init__(self, name: str, content: Timeline) -> None:
        self.name = harmless(name)
        self.content = content

    def __repr__(self) -> str:
        return as_text(self.name, self.content)

    def _repr_html_(self) -> str:
        details = f"<details><summary>As text</summary><pre>{escape(repr(self))}</pre></details>"
        return panel(as_svg(self.name, self.content), details)

    def file(self) -> bytes:
        """An SVG file that looks after its own ground."""
        return as_svg(self.name, self.content, alone=True).encode()


@dataclass(frozen=True)
class _Frame:
    """Where time is in the picture."""

    begin: float
    seconds: float
    lane: float
    gap: float
    lanes: int

    @classmethod
    def of(cls, content: Timeline) -> _Frame:
        many = len(content.lanes) > 16
        seconds = max(content.end - content.begin, 1e-3)
        return cls(content.begin, seconds, *((9.0, 3.0) if many else (22.0, 8.0)),
                   len(content.lanes))  # fmt: skip

    def x(self, at: float) -> float:
        share = (at - self.begin) / self.seconds
        return _LEFT + min(max(share, 0.0), 1.0) * (_WIDTH - _LEFT - _RIGHT)

    def y(self, row: int) -> float:
        return _TOP + row * (self.lane + self.gap)

    @property
    def bottom(self) -> float:
        return self.y(self.lanes)


def as_svg(name: str, content: Timeline, *, alone: bool = False) -> str:
    """The picture.

    Args:
        alone: whether it is a file of its own, not part of a page.
    """
    frame = _Frame.of(content)
    used = [kind for kind in LOOKS if any(lane.seconds(kind) for lane in content.lanes)]
    rows = math.ceil(len(used) / 2)
    height = frame.bottom + _AXIS + rows * _LEGEND + 8
    summary = "; ".join(_sentences(content)) or "nothing has happened yet"
    parts = [
        svg.title(f"Timeline of {name}"),
        svg.element("desc", escape(summary)),
        svg.element("style", _STYLE + (_OWN_GROUND if alone else "")),
        svg.text(name, _LEFT, 18.0, font_size=14, font_weight="bold", fill=AXES),
        *_axis(frame),
        *(part for row, lane in enumerate(content.lanes) for part in _lane(frame, row, lane)),
        *(_attempt(frame, at, number) for number, at in enumerate(content.attempts, 2)),
        *_legend(used, frame.bottom + _AXIS + 12),
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
    for span in lane.spans:
        yield _span(frame, y, span, named=not small)
    for mark in lane.marks:
        if mark.kind != "succeeded":
            yield _cross(frame.x(mark.at), middle, f"{mark.kind}: {mark.words}".rstrip(": "))


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
    """What may be written in a span, the longest first."""
    number = str(span.number)
    if span.kind == "training":
        return [f"epoch {number}", number] if span.number else ["training"]
    if span.kind == "cell":
        return [f"cell {number}", number] if span.number else ["cell"]
    if span.kind == "waiting" and span.awaited:
        return [f"waiting for {task_names(span.awaited)}", "waiting"]
    return [span.kind]


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


def _legend(used: Sequence[str], top: float) -> Iterator[str]:
    for place, kind in enumerate(used):
        x = _LEFT + (place % 2) * (_WIDTH - _LEFT - _RIGHT) / 2
        y = top + place // 2 * _LEGEND
        yield svg.element("rect", x=x, y=y, width=12, height=12, rx=2, fill=LOOKS[kind][0])
        yield svg.text(LOOKS[kind][2], x + 18, y + 10, fill=AXES)


# -- text -----------------------------------------------------------------------------------

_COLUMNS = 64

#: Seconds of waiting that are put into words.
_WORTH_SAYING = 0.05


def as_text(name: str, content: Timeline) -> str:
    """The same for a terminal: a letter for what each task did most in a stretch of time."""
    width = max((len(str(lane.task)) for lane in content.lanes), default=0)
    seconds = max(content.end - content.begin, 1e-3)
    lines = [f"{name}: {duration(seconds)}" + ", and it goes on" * content.goes_on]
    lines += [f"  {lane.task!s:{width}} |{_letters(lane, content)}|" for lane in content.lanes]
    used = [kind for kind in LOOKS if any(lane.seconds(kind) for lane in content.lanes)]
    lines += [f"  {LOOKS[kind][1]} {LOOKS[kind][2]}" for kind in used]
    return "\n".join([*lines, *(f"  {sentence}" for sentence in _sentences(content))])


def _letters(lane: Lane, content: Timeline) -> str:
    step = max(content.end - content.begin, 1e-3) / _COLUMNS
    found = [" "] * _COLUMNS
    most = [0.0] * _COLUMNS
    for span in lane.spans:
        first = int((span.begin - content.begin) / step)
        last = min(int((span.end - content.begin) / step), _COLUMNS - 1)
        for place in range(max(first, 0), last + 1):
            left = content.begin + place * step
            here = min(span.end, left + step) - max(span.begin, left)
            if here > most[place]:
                found[place], most[place] = LOOKS[span.kind][1], here
    for mark in lane.marks:
        if mark.kind != "succeeded":
            found[min(int((mark.at - content.begin) / step), _COLUMNS - 1)] = "X"
    return "".join(found)


def _sentences(content: Timeline) -> list[str]:
    """Who waited for whom, and how each task ended that did not succeed."""
    found = []
    for lane in content.lanes:
        for span in lane.spans:
            if span.kind == "waiting" and span.seconds >= _WORTH_SAYING:
                awaited = task_names(span.awaited) or "the others"
                found.append(f"{lane.task} waited {duration(span.seconds)} for {awaited} to join")
        for mark in lane.marks:
            if mark.kind != "succeeded":
                when = duration(mark.at - content.begin)
                words = f": {mark.words}" if mark.words else ""
                found.append(f"{lane.task} {mark.kind} after {when}{words}")
    return found

"""Where the time of live tasks goes, as a flame graph (SVG) and as text.

The graph grows downward, so that the program's own calls come first.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

from mwtutor import svg
from mwtutor.colors import AXES, CURVES
from mwtutor.display.words import duration
from mwtutor.markup import panel, wide
from mwtutor.run.observations.flames import Call, Way, others, tree, ways
from mwtutor.run.observations.samples import Sampled, Samples, Visit
from mwtutor.run.observations.stacks import Frame
from mwtutor.sanitize import harmless
from mwtutor.worker.sampling import INTERVAL

#: The color of each kind of call, and its legend.
_OWN = (CURVES[1], "the program's own code")
_LIBRARY = ("#a0a0a0", "libraries, and native code that they call")
_EXCHANGING = (CURVES[0], "TensorFlow functions with a collective")

#: Pixels: the width of the picture, the height of a call, gaps, and the narrowest call drawn.
_WIDTH, _HEIGHT, _GAP, _LEAST = 920.0, 17.0, 8.0, 0.5
_TOP, _LEGEND = 44.0, 20.0

#: The approximate width of a label's character.
_CHARACTER = 6.2

#: Maximum number of levels drawn, and of paths per task in text; the smallest share in the text.
_LEVELS, _PATHS, _WORTH_SAYING = 60, 6, 0.01

#: Samples were delayed if two of them are this many times further apart than usual.
_HELD_UP = 10

_STYLE = ".mw-flames text{fill:currentColor}.mw-flames .mw-in{fill:#000}"


@dataclass(frozen=True)
class _Column:
    """A thread, or several of one task.

    Attributes:
        seconds: the time that its full width stands for.
    """

    name: str
    visits: tuple[Visit, ...]
    seconds: float


class Flames:
    """Samples that display themselves as a picture or as text, whichever the front end supports.

    Args:
        name: the run's name.
    """

    def __init__(self, name: str, content: Sampled) -> None:
        self.name = harmless(name)
        self.content = content
        self._columns = [column for one in content.tasks for column in _columns(one)]

    def __repr__(self) -> str:
        return "\n".join([self._head(), *self._paths(), *self._notes()])

    def _repr_html_(self) -> str:
        notes = [f"<div>{escape(words)}</div>" for words in self._notes()]
        text = escape("\n".join(self._paths()))
        fold = f"<details><summary>As text</summary><pre class='mw-log'>{text}</pre></details>"
        picture = wide(self._picture()) if self._columns else f"<div>{escape(self._head())}</div>"
        return panel(picture, *notes, fold)

    def file(self) -> bytes:
        """An SVG file with its own background."""
        return self._picture(alone=True).encode()

    def _head(self) -> str:
        counts = sorted(one.count for one in self.content.tasks)
        count = f"{counts[0]}" if counts[0] == counts[-1] else f"{counts[0]} to {counts[-1]}"
        facts = [f"{self.name}: where the time goes", duration(self.content.seconds)]
        facts.append(f"{count} samples of each task")
        if self.content.interrupted:
            facts.append(f"interrupted: {self.content.wanted:g} s were requested")
        return " · ".join(facts)

    def _notes(self) -> Iterator[str]:
        for one in self.content.tasks:
            if one.why:
                after = f"after {duration(one.seconds)}" if one.count else "before the first sample"
                yield f"{one.task}: {one.why}, {after}."
            if one.longest > _HELD_UP * INTERVAL:
                yield (
                    f"{one.task}: no sample for {one.longest:.2f} s, because native code held"
                    " the GIL or the machine was busy. This time is attributed to the next sample."
                )

    # -- text -------------------------------------------------------------------------------

    def _paths(self) -> Iterator[str]:
        for column in self._columns:
            yield column.name
            found = ways(column.visits)
            for way in found[:_PATHS]:
                if way.seconds >= _WORTH_SAYING * column.seconds:
                    yield f"  {_percent(way.seconds, column):>5}  {_words(way)}"
            rest = found[_PATHS:]
            if sum(way.seconds for way in rest) >= _WORTH_SAYING * column.seconds:
                total = _percent(sum(way.seconds for way in rest), column)
                yield f"  {total:>5}  in {len(rest)} other places"

    # -- picture ----------------------------------------------------------------------------

    def _picture(self, *, alone: bool = False) -> str:
        wide = (_WIDTH - _GAP * (len(self._columns) - 1)) / max(len(self._columns), 1)
        trees = [tree(column.visits) for column in self._columns]
        depths = [call.depth for calls in trees for call in calls]
        legend = _TOP + min(max(depths, default=0), _LEVELS) * _HEIGHT + 14
        parts = [
            svg.title(f"Where the time of {self.name} goes"),
            svg.element("desc", svg.words_of(self._summary())),
            svg.element("style", _STYLE + (svg.OWN_GROUND if alone else "")),
            svg.text(self._head(), 0, 16, font_weight="bold", fill=AXES),
        ]
        for place, (column, calls) in enumerate(zip(self._columns, trees, strict=True)):
            x = place * (wide + _GAP)
            parts.append(svg.text(_cut(column.name, wide), x, _TOP - 8, fill=AXES))
            parts += _drawn(calls, column, x, wide / column.seconds if column.seconds else 0.0)
        for place, (color, words) in enumerate((_OWN, _LIBRARY, _EXCHANGING)):
            x = place * _WIDTH / 3
            parts.append(svg.element("rect", x=x, y=legend, width=12, height=12, fill=color))
            parts.append(svg.text(words, x + 18, legend + 10, fill=AXES))
        return svg.element(
            "svg",
            *parts,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {_WIDTH:.0f} {legend + _LEGEND:.0f}",
            width=f"{_WIDTH:.0f}" if alone else "100%",
            style=f"max-width:{1.3 * _WIDTH:.0f}px",
            class_="mw-flames",
            role="img",
            aria_label=f"Where the time of {self.name} goes: {self._summary()}",
            font_family="system-ui,sans-serif",
            font_size=11,
        )

    def _summary(self) -> str:
        """The picture in words: the longest path of each thread."""
        longest = [(column, ways(column.visits)[:1]) for column in self._columns]
        return "; ".join(
            f"{column.name} {_percent(way.seconds, column)} in {_words(way)}"
            for column, found in longest
            for way in found
        )


def _columns(one: Samples) -> Iterator[_Column]:
    main = tuple(visit for visit in one.paths if visit.main)
    if main:
        yield _Column(str(one.task), main, one.seconds)
    if beside := tuple(others(one.paths)):
        total = sum(visit.seconds for visit in beside)
        yield _Column(f"{one.task}, other threads", beside, total)


def _drawn(
    calls: Sequence[Call], column: _Column, x: float, scale: float, level: int = 0
) -> Iterator[str]:
    """The calls, each above those that it made."""
    for call in calls if level < _LEVELS else ():
        width = call.seconds * scale
        if width >= _LEAST:
            yield _box(call, column, x, level, width)
            yield from _drawn(call.below(), column, x, scale, level + 1)
        x += width


def _box(call: Call, column: _Column, x: float, level: int, width: float) -> str:
    y = _TOP + level * _HEIGHT
    inside = not call.calls and call.waiting > call.seconds / 2
    color, _ = _EXCHANGING if inside else _OWN if call.own else _LIBRARY
    box = {"x": x, "y": y, "width": max(width - 0.6, 0.4), "height": _HEIGHT - 1, "fill": color}
    parts = [svg.element("rect", rx=1, **box)]
    if label := _cut(_place(call.frame, call.own), width - 6):
        parts.append(svg.text(label, x + 3, y + 12, class_="mw-in", fill="#000000"))
    return svg.element("g", svg.title(_tale(call, column)), *parts)


def _tale(call: Call, column: _Column) -> str:
    within = call.seconds - sum(one.seconds for one in call.calls.values())
    share = _percent(call.seconds, column)
    facts = [f"{_place(call.frame, own=True)}: {duration(call.seconds)}, {share}"]
    if call.calls and within > 0:
        facts.append(f"in the call itself {_percent(within, column)}")
    if call.waiting:
        facts.append(f"in functions with a collective {_percent(call.waiting, column)}")
    source = f" | {call.frame.source}" if call.own and call.frame.source else ""
    return "; ".join(facts) + source


def _words(way: Way) -> str:
    parts = [_place(frame, own=True) for frame in way.own]
    parts += [_place(frame, own=False) for frame in way.library]
    words = " > ".join(parts) or "not in Python code of the program"
    return words + ", with a collective" * way.waits


def _place(frame: Frame, own: bool) -> str:
    spot = frame.spot if own else frame.file.rpartition("/")[2]
    return harmless(f"{frame.function} ({spot})" if spot else frame.function)


def _percent(seconds: float, column: _Column) -> str:
    return f"{seconds / column.seconds:.0%}".replace("%", " %") if column.seconds else "0 %"


def _cut(words: str, width: float) -> str:
    """As much of a label as fits; empty if hardly any of it does."""
    most = int(width / _CHARACTER)
    return words if len(words) <= most else f"{words[: most - 1]}…" if most > 3 else ""

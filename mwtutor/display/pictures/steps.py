"""How each step spent its time: as bars, as a close-up of a few steps, and as a table."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from itertools import groupby
from statistics import fmean, median

from mwtutor import svg
from mwtutor.cluster import TaskId
from mwtutor.colors import AXES, CURVES
from mwtutor.run.observations.steps import StepTime, StepTimes

#: Each part of a step's time: its color, table header and legend.
LOOKS = {
    "between": (CURVES[4], "before", "before the step: its callbacks, its own code, a sleep"),
    "computing": (CURVES[0], "computing", "in the step, using the processor"),
    "waiting": (
        CURVES[1],
        "waiting",
        "waiting for others: in an exchange, or in a step that another task had not begun",
    ),
    "rest": (
        "#a0a0a0",
        "rest",
        "in a step that all have begun, processor idle: exchange of gradients, input, a GPU",
    ),
}

#: A note below the bars about details that they do not show.
NOTE = (
    "If there are many steps, a bar is the average of several; a bar with a dotted top is cut off."
    " The order of the parts within a step is unknown."
)

#: How many steps the close-up shows, for few workers and for many.
_CLOSE, _CLOSE_MANY = 6, 3

#: Approximate number of bars in one picture.
_BARS = 3000

#: A worker is slow if its own part of a step is longer by this factor and by this many seconds.
_SLOW, _SLOW_SECONDS = 1.5, 0.001

#: The parts of a step in which others wait for a worker, as the beginning of a sentence.
_OWN = {
    "between": "Before a step (input, callbacks, other code)",
    "computing": "Computing in a step",
}

_GAP = 8.0


def _typical(steps: StepTimes, task: TaskId) -> dict[str, float]:
    return {part: steps.typical(task, part) for part in ("whole", *LOOKS)}


class Picture:
    """The lower half of a timeline.

    Args:
        left, width: where the rows begin, and their width.
        top: where the first row begins.
    """

    def __init__(self, steps: StepTimes, left: float, width: float, top: float) -> None:
        self._steps = steps
        self._left, self._width, self._top = left, width, top
        many = len(steps.of)
        self._row = 64.0 if many <= 4 else 34.0 if many <= 16 else 14.0
        self._lane = 18.0 if many <= 16 else 9.0
        self._close_steps = _CLOSE if many <= 16 else _CLOSE_MANY
        self._columns = min(max(_BARS // (4 * many), 12), 160)

    def parts(self) -> Iterator[str]:
        y = self._top
        words = f"Where the time of its {self._steps.taken} steps went"
        yield svg.text(words, self._left, y, font_size=13, font_weight="bold", fill=AXES)
        if words := verdict(self._steps):
            y += 16
            yield svg.text(words, self._left, y, fill=AXES, font_size=12)
        y += 12
        highest = self._highest()
        for task in self._steps.of:
            yield from self._bars(task, y, highest)
            y += self._row + _GAP
        yield from self._numbers(y + 4)
        y += 30
        if window := self._window():
            first, last = window[0], window[-1]
            words = f"Close-up: steps {first + 1} to {last + 1}"
            yield svg.text(words, self._left, y, font_size=12, font_weight="bold", fill=AXES)
            y += 10
            yield from self._close(window, y)

    @property
    def height(self) -> float:
        many = len(self._steps.of)
        close = 30 + many * (self._lane + 4) if self._window() else 0
        said = 16 if verdict(self._steps) else 0
        return 40 + said + many * (self._row + _GAP) + close

    # -- bars -------------------------------------------------------------------------------

    def _highest(self) -> float:
        """The top of the bars; the few longest steps are cut off there."""
        wholes = sorted(step.whole for steps in self._steps.of.values() for step in steps)
        return max(min(1.05 * wholes[-1], 1.4 * wholes[int(0.9 * (len(wholes) - 1))]), 1e-6)

    def _bars(self, task: TaskId, top: float, highest: float) -> Iterator[str]:
        base = top + self._row
        mine = _typical(self._steps, task)
        small = self._row < 30
        middle = (top + base) / 2
        at = {"text_anchor": "end", "fill": AXES}
        size = 8.5 if self._row < 20 else 12
        y = middle + (size / 3 if small else -2)
        yield svg.text(str(task), self._left - 8, y, font_size=size, **at)
        if not small and self._steps.together:
            words = f"waits {milliseconds(mine['waiting'])}"
            yield svg.text(words, self._left - 8, middle + 12, font_size=10, **at)
        groups = self._groups(self._steps.of[task])
        width = self._width / len(groups)
        gap = 1.0 if width > 4 else 0.0
        paths: dict[str, list[str]] = {part: [] for part in LOOKS}
        cut: list[str] = []
        for place, group in enumerate(groups):
            x, y = self._left + place * width, base
            if fmean(step.whole for step in group) > highest:
                cut.append(f"M{x:.1f} {top - 1.5:.1f}h{width - gap:.1f}")
            for part in LOOKS:
                height = self._row * fmean(getattr(step, part) for step in group) / highest
                height = min(height, y - top)
                if height >= 0.05:
                    paths[part].append(f"M{x:.1f} {y:.1f}h{width - gap:.1f}v{-height:.1f}"
                                       f"h{gap - width:.1f}z")  # fmt: skip
                    y -= height
        shapes = [
            svg.element("path", d="".join(shape), fill=LOOKS[part][0])
            for part, shape in paths.items()
            if shape
        ]
        if cut:  # the step is longer than drawn
            shapes.append(svg.element("path", d="".join(cut), stroke=AXES, stroke_dasharray="2 1"))
        yield svg.element("g", svg.title(sentence(task, mine, self._steps.awaited(task))), *shapes)
        line = f"M{self._left:.1f} {base:.1f}h{self._width:.1f}"
        yield svg.element("path", d=line, stroke=AXES, stroke_opacity=0.5)
        if not small:
            shown = milliseconds(highest)
            yield svg.text(shown, self._left + self._width, top + 8, font_size=9, **at)

    def _groups(self, steps: Sequence[StepTime]) -> list[list[StepTime]]:
        size = math.ceil(len(steps) / self._columns)
        return [list(steps[at : at + size]) for at in range(0, len(steps), size)]

    def _numbers(self, y: float) -> Iterator[str]:
        steps = next(iter(self._steps.of.values()))
        right = self._left + self._width
        yield svg.text(f"step {steps[0].number + 1}", self._left, y, fill=AXES, font_size=10)
        yield svg.text(
            f"step {steps[-1].number + 1}", right, y, text_anchor="end", fill=AXES, font_size=10
        )

    # -- a closer look ----------------------------------------------------------------------

    def _window(self) -> list[int]:
        """Consecutive steps of typical length; empty if none are known."""
        if not self._steps.together:
            return []
        known = next(iter(self._steps.of.values()))
        wholes = {step.number: step.whole for step in known if step.whole > step.rest}
        runs = [
            [number for _, number in group]
            for _, group in groupby(enumerate(sorted(wholes)), lambda pair: pair[1] - pair[0])
        ]
        size = self._close_steps
        windows = [run[at : at + size] for run in runs for at in range(max(len(run) - size + 1, 1))]
        windows = [window for window in windows if len(window) >= 2]
        if not windows:
            return []
        typical = median(wholes.values())
        return min(windows, key=lambda seen: fmean(abs(wholes[n] - typical) for n in seen))

    def _close(self, window: Sequence[int], top: float) -> Iterator[str]:
        chosen = {
            task: [step for step in steps if window[0] <= step.number <= window[-1]]
            for task, steps in self._steps.of.items()
        }
        begin = min(_segments(steps[0])[0][1] for steps in chosen.values())
        end = max(_segments(steps[-1])[-1][2] for steps in chosen.values())
        scale = self._width / max(end - begin, 1e-9)
        y = top
        for task, steps in chosen.items():
            size = 8.5 if self._lane < 15 else 12
            middle = y + self._lane / 2 + size / 3
            at = {"text_anchor": "end", "fill": AXES, "font_size": size}
            yield svg.text(str(task), self._left - 8, middle, **at)
            paths: dict[str, list[str]] = {part: [] for part in LOOKS}
            for part, start, stop in (piece for step in steps for piece in _segments(step)):
                width = (stop - start) * scale
                if width >= 0.05:
                    x = self._left + (start - begin) * scale
                    paths[part].append(f"M{x:.1f} {y:.1f}h{width:.1f}v{self._lane:.0f}"
                                       f"h{-width:.1f}z")  # fmt: skip
            for part, shape in paths.items():
                if shape:
                    yield svg.element("path", d="".join(shape), fill=LOOKS[part][0])
            edges = "".join(
                f"M{self._left + (_segments(step)[-1][2] - begin) * scale:.1f} {y - 2:.1f}"
                f"v{self._lane + 4:.0f}"
                for step in steps
            )
            yield svg.element("path", d=edges, stroke=AXES, stroke_width=1.5)
            y += self._lane + 4
        words = f"{milliseconds(end - begin)} from left to right; a line marks the end of a step"
        yield svg.text(words, self._left, y + 10, fill=AXES, font_size=10)


def _segments(step: StepTime) -> list[tuple[str, float, float]]:
    """The parts of one step with their start and end times, as drawn."""
    at = step.begin - step.between - step.exchange
    lengths = (
        ("waiting", step.exchange),
        ("between", step.between),
        ("computing", step.computing),
        ("waiting", step.late),
        ("rest", step.rest),
    )
    found = []
    for part, seconds in lengths:
        found.append((part, at, at + seconds))
        at += seconds
    return found


# -- words ----------------------------------------------------------------------------------


def milliseconds(seconds: float) -> str:
    """A step's time: ``2.1 ms``, ``51 ms``, ``1.3 s``."""
    if seconds >= 1:
        return f"{seconds:.1f} s"
    return f"{1000 * seconds:.1f} ms" if seconds < 0.01 else f"{1000 * seconds:.0f} ms"


def sentence(task: TaskId, mine: dict[str, float], awaited: TaskId | None) -> str:
    """The parts of a worker's typical step, in a sentence."""
    whole = f"{task}: {milliseconds(mine['whole'])} a step"
    parts = ", ".join(f"{milliseconds(mine[part])} {looks[1]}" for part, looks in LOOKS.items())
    return f"{whole}: {parts}" + (f"; {awaited} usually comes last" if awaited else "")


def verdict(steps: StepTimes) -> str:
    """Which worker is slow; empty if none is."""
    own = {task: steps.typical(task, "own") for task in steps.of}
    if not steps.together or len(own) < 2:
        return ""
    most, least = max(own, key=lambda task: own[task]), min(own, key=lambda task: own[task])
    if not _much_longer(own[most], own[least]):
        return ""
    return (
        f"{most} is the slowest: it spends {milliseconds(own[most])} per step on computing and "
        f"on its own work before the step; {least} spends {milliseconds(own[least])}."
    )


def reason(steps: StepTimes | None, late: TaskId) -> str:
    """The part of a step on which ``late`` itself spends more time than others; empty if none."""
    if steps is None or not steps.together or late not in steps.of or len(steps.of) < 2:
        return ""
    said = []
    for part, words in _OWN.items():
        mine = steps.typical(late, part)
        least, other = min((steps.typical(task, part), task) for task in steps.of)
        if _much_longer(mine, least):
            both = f"{milliseconds(mine)}, {other} {milliseconds(least)}"
            said.append((mine - least, f"{words}, {late} typically spends {both}."))
    return max(said)[1] if said else ""


def _much_longer(most: float, least: float) -> bool:
    return most >= _SLOW * least and most - least >= _SLOW_SECONDS


def header(steps: StepTimes) -> tuple[str, ...]:
    parts = [looks[1] for part, looks in LOOKS.items() if steps.together or part != "waiting"]
    return ("task", "a step", *parts, *(["for"] if steps.together else []))


def rows(steps: StepTimes) -> Iterator[tuple[str, ...]]:
    """A worker's typical step in words, below :func:`header`."""
    for task in steps.of:
        mine = _typical(steps, task)
        shown = [milliseconds(mine[part]) for part in LOOKS if steps.together or part != "waiting"]
        awaited = [str(steps.awaited(task) or "")] if steps.together else []
        yield (str(task), milliseconds(mine["whole"]), *shown, *awaited)


def remark(steps: StepTimes) -> str:
    """Which steps the numbers are based on."""
    known = max(len(one) for one in steps.of.values())
    words = f"Medians of {known} of {steps.taken} steps, without the first, which builds the graph"
    if steps.together or len(steps.of) < 2:
        return f"{words}."
    return (
        f"{words}. These times do not show that the tasks take their steps together, so waiting"
        " is not shown."
    )

"""The training of a run: its progress, and its curves as lines of text."""

from __future__ import annotations

import math
from collections.abc import Sequence

from mwtutor.display.panel.report import Bar, Seen
from mwtutor.display.words import elapsed, number
from mwtutor.run.observations.curves import Pace, slowest
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState

#: Seconds beyond which an estimate of the remaining time is meaningless.
_FAR = 30 * 24 * 3600.0

#: A curve as text: its levels, and its maximum width.
_BLOCKS, _WIDTH = "▁▂▃▄▅▆▇█", 16


def bar(spec: RunSpec, state: RunState, seen: Seen) -> Bar | None:
    """The training progress of an active run; None if no task has reported it."""
    course = seen.course
    if course is None or state.outcome is not None:
        return None
    trains = [task for task in state.tasks.values() if task.id.type not in ("ps", "evaluator")]
    now = seen.now(spec)
    pace = slowest(course.pace(task.id, now) for task in trains if not task.status.ended)
    if pace == Pace():
        return None
    words = [
        "" if pace.done is None else f"{int(pace.done * 100)} %",
        "" if pace.rate is None else f"{pace.rate:.3g} steps/s",
        "" if pace.left is None or pace.left > _FAR else f"about {elapsed(pace.left)} left",
    ]
    return Bar(pace.done, " · ".join(filter(None, words)))


def scale(values: Sequence[float]) -> list[float | None]:
    """The values scaled from 0 (lowest) to 1 (highest); None for those that are not numbers."""
    numbers = [value for value in values if math.isfinite(value)]
    low, high = min(numbers, default=0.0), max(numbers, default=0.0)
    unit = max(abs(low), abs(high)) or 1.0  # keeps the span of the largest floats finite
    span = high / unit - low / unit
    return [
        ((value / unit - low / unit) / span if span else 0.5) if math.isfinite(value) else None
        for value in values
    ]


def sparkline(values: Sequence[float]) -> str:
    """A curve in one line of text; ``x`` marks values that are not numbers."""
    count = min(len(values), _WIDTH)
    last = len(values) - 1
    chosen = [values[last * place // max(count - 1, 1)] for place in range(count)]
    top = len(_BLOCKS) - 1
    return "".join(
        "x" if height is None else _BLOCKS[round(height * top)] for height in scale(chosen)
    )


def curve_words(values: Sequence[float]) -> str:
    """A curve in words, for readers who cannot see it."""
    numbers = [value for value in values if math.isfinite(value)]
    odd = len(values) - len(numbers)
    words = (
        ""
        if not numbers
        else (
            f"from {number(numbers[0])} to {number(numbers[-1])},"
            f" lowest {number(min(numbers))}, highest {number(max(numbers))}"
        )
    )
    return "; ".join(filter(None, [words, f"{odd} of {len(values)} are not numbers" * bool(odd)]))

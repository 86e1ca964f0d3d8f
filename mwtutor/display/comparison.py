"""Several runs side by side: a table, the phases that take longer, and the curves of a metric."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from html import escape
from typing import Any, ClassVar

from mwtutor import find_runs
from mwtutor.display.pictures.plot import Drawing, curves_of_runs
from mwtutor.display.words import duration, lined_up, number
from mwtutor.markup import panel, row, table
from mwtutor.run.observations.comparison import TIMES, VERSIONS, Comparison, compare_runs
from mwtutor.run.observations.phases import Difference, Spread
from mwtutor.run.run import Run
from mwtutor.sanitize import harmless

_MISSING = "not recorded"


class Compared:
    """A comparison that displays itself, as HTML or as text.

    Args:
        drawing: the curves of a metric; None if no run recorded it.
        metric: its name.
    """

    def __init__(self, content: Comparison, drawing: Drawing | None, metric: str) -> None:
        self.content = content
        self._drawing = drawing
        self._names = [harmless(one.name) for one in content.facts]
        self._phases = [
            Phases(self._names[0], name, found)
            for name, found in zip(self._names[1:], content.phases, strict=True)
        ]
        self._notes = [] if content.differing() else ["All options are the same."]
        if drawing is None:
            self._notes.append(f"No run recorded the metric {harmless(metric)}.")

    def __repr__(self) -> str:
        tables = lined_up([self._header(), *self._rows()])
        drawn = [] if self._drawing is None else [repr(self._drawing)]
        return "\n\n".join(["\n".join([*tables, *self._notes]), *map(repr, self._phases), *drawn])

    def _repr_html_(self) -> str:
        rows = [row(*map(escape, cells)) for cells in self._rows()]
        notes = [f"<div>{escape(words)}</div>" for words in self._notes]
        phases = [part for one in self._phases for part in one.parts()]
        drawn = "" if self._drawing is None else self._drawing._repr_html_()
        return panel(table(self._header(), rows), *notes, *phases, drawn)

    def _header(self) -> tuple[str, ...]:
        return ("", *self._names)

    def _rows(self) -> Iterator[tuple[str, ...]]:
        facts = self.content.facts
        yield "state", *(one.status for one in facts)
        for label, values in self.content.differing().items():
            yield label.removeprefix("The "), *(_option(value) for value in values)
        if len({one.script for one in facts}) > 1:
            yield "script (SHA-256)", *(harmless(one.script) or _MISSING for one in facts)
        for what in VERSIONS:
            yield what, *(harmless(one.versions.get(what, "")) or _MISSING for one in facts)
        for what in TIMES:
            yield what, *(_known(one.times, what, duration) for one in facts)
        for metric in dict.fromkeys(metric for one in facts for metric in one.last):
            yield f"last {harmless(metric)}", *(_known(one.last, metric, number) for one in facts)


def _known(found: Mapping[str, float], what: str, words: Any) -> str:
    return words(found[what]) if what in found else _MISSING


def _option(value: Any) -> str:
    """An option's value, as it would be typed."""
    if isinstance(value, Mapping):
        value = " ".join(f"{name}={its}" for name, its in value.items())
    if isinstance(value, (list, tuple)):
        value = " ".join(map(str, value))
    if isinstance(value, bool):
        return "yes" if value else "no"
    return harmless(str(value)) if value not in (None, "") else "none"


class Phases:
    """How long the phases of two runs took.

    Args:
        before, after: the names of the runs.
    """

    _WORDS: ClassVar = {True: "", False: "within the spread", None: "too few to tell"}

    def __init__(self, before: str, after: str, found: Sequence[Difference]) -> None:
        self._head = f"{harmless(after)}, compared with {harmless(before)}"
        self._header = ("phase", harmless(before), harmless(after), "ratio", "")
        self._rows = [
            (one.phase, _spread(one.before), _spread(one.after), *self._judged(one))
            for one in found
        ]
        self._note = "Each value is the median, with the middle half in parentheses."
        if not found:
            self._head += ": neither recorded any steps or exchanges."

    def _judged(self, one: Difference) -> tuple[str, str]:
        if one.ratio is None:
            return "", "only in one of them"
        longer = "longer" if one.ratio > 1 else "shorter"
        return f"{one.ratio:.2f}", longer if one.differs else self._WORDS[one.differs]

    def __repr__(self) -> str:
        if not self._rows:
            return self._head
        return "\n".join([self._head, *lined_up([self._header, *self._rows]), self._note])

    def parts(self) -> list[str]:
        """The same content as HTML."""
        head = f"<div>{escape(self._head)}</div>"
        if not self._rows:
            return [head]
        rows = [row(*map(escape, cells)) for cells in self._rows]
        return [head, table(self._header, rows), f"<div>{escape(self._note)}</div>"]


def _spread(one: Spread | None) -> str:
    if one is None:
        return _MISSING
    return f"{1e3 * one.median:.2f} ms ({1e3 * one.low:.2f} to {1e3 * one.high:.2f})"


def compare(*runs: Run | str, metric: str = "loss") -> Compared:
    """Compare runs: options that differ, versions, times, the last metrics, and a curve.

    Only what was recorded is shown; anything else is "not recorded".

    Args:
        runs: runs, or their names or ids; times are compared with the first one's.
        metric: the metric whose curves are drawn.

    Raises:
        BadInput: there are fewer than two runs, or one of them twice.
        NoRun: there is no run of that name.
    """
    found = [one if isinstance(one, Run) else find_runs.find(one) for one in runs]
    return Compared(compare_runs(found), curves_of_runs(found, metric), metric)

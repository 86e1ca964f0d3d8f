"""The exchanges of a run as a table and a picture."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from html import escape
from statistics import median

from mwtutor import svg
from mwtutor.cluster import TaskId
from mwtutor.display.pictures import steps
from mwtutor.display.words import duration, lined_up, size
from mwtutor.markup import panel, row, table
from mwtutor.run.observations.exchanges import Exchanges, Meeting, complete, meetings, waiting_tasks
from mwtutor.run.observations.ledgers import Exchange, Line
from mwtutor.run.observations.missing import is_known, verdict_words, why_unknown
from mwtutor.run.observations.steps import StepTimes
from mwtutor.sanitize import harmless

#: Maximum number of tasks with their own columns; if there are more, one column shows the range.
_COLUMNS = 8

#: The maximum number of exchanges in the picture, and its dimensions in pixels.
_DRAWN, _WIDTH, _HEIGHT, _NAMES = 60, 10, 16, 80

#: The state of a task's exchange: its mark in text, and its color in the picture.
_MARKS = {
    "done": ("■", "good"),
    "begun": ("□", "attention"),
    "never begun": ("·", "bad"),
    "not recorded": ("?", "faint"),
}


class Drawn:
    """The exchanges of a run.

    Args:
        name: the run's name.
        last: how many of the last exchanges to show one by one; 0 shows totals for each program
            line.
        times: where the time of its steps went, if known; this explains why a worker arrives last.
    """

    def __init__(
        self, name: str, content: Exchanges, *, last: int = 0, times: StepTimes | None = None
    ) -> None:
        self.name = harmless(name)
        self.content = content
        self.verdict = verdict_words(content) or why_unknown(content)
        self._met = meetings(content.ledgers)
        self._last = last
        self._times = times
        self._kinds: dict[Line, dict[str, None]] = {}
        for one in (one for ledger in content.ledgers.values() for one in ledger.exchanges):
            self._kinds.setdefault(one.line, {})[one.kind] = None

    def __repr__(self) -> str:
        said = [f"  {line}" for line in lined_up([self._header(), *self._rows()])]
        drawn = [f"  {task!s:{len('worker:00')}}  {marks}" for task, marks in self._marks()]
        return "\n".join([self._head(), *said, *drawn, *self._sentences()])

    def _repr_html_(self) -> str:
        rows = [row(*map(escape, cells)) for cells in self._rows()]
        said = [f"<div>{escape(words)}</div>" for words in self._sentences()]
        head = f"<div>{escape(self._head())}</div>"
        return panel(head, table(self._header(), rows), self._picture(), *said)

    def _head(self) -> str:
        counts = dict.fromkeys(one.made for one in self.content.ledgers.values())
        made = f"{min(counts)}" if len(counts) == 1 else f"{min(counts)} to {max(counts)}"
        read = max(len(one.exchanges) for one in self.content.ledgers.values())
        facts = [self.name, f"{made} exchange{'s' * (max(counts) != 1)} recorded per worker"]
        if read < max(counts):
            facts.append(f"only the newest {read} were read")
        return " · ".join(facts)

    # -- the table --------------------------------------------------------------------------

    def _header(self) -> tuple[str, ...]:
        tasks = tuple(self.content.ledgers)
        columns = tuple(map(str, tasks)) if len(tasks) <= _COLUMNS else (f"{len(tasks)} tasks",)
        if self._last:
            return "number", "exchange", "line", *columns
        return "line", "exchange", *columns, "bytes of each"

    def _rows(self) -> list[tuple[str, ...]]:
        if self._last:
            return [self._one(met) for met in self._met[-self._last :]]
        return [self._line(line, newest) for line, newest in self.content.lines()]

    def _line(self, line: Line, newest: dict[TaskId, Exchange]) -> tuple[str, ...]:
        counts = [newest[task].times if task in newest else 0 for task in self.content.ledgers]
        totals = {one.total for one in newest.values()}
        sent = (
            size(max(totals)) if len(totals) == 1 else f"{size(min(totals))} to {size(max(totals))}"
        )
        return (
            str(line),
            ", ".join(self._kinds[line]),
            *self._columns(map(str, counts), counts),
            sent,
        )

    def _one(self, met: Meeting) -> tuple[str, ...]:
        first = next(iter(met.parts.values()))
        lines = dict.fromkeys(str(one.line) for one in met.parts.values())
        states = [self._state(met, task) for task in self.content.ledgers]
        counted = [len(met.parts)]
        given = dict.fromkeys(
            f"{one.kind} of {one.what}" + " (mwtutor's)" * one.ours for one in met.parts.values()
        )
        shown = " / ".join(given), " / ".join(lines)
        return str(first.number), *shown, *self._columns(states, counted)

    def _columns(self, cells: Iterable[str], counts: Sequence[int]) -> tuple[str, ...]:
        shown = tuple(cells)
        if len(shown) <= _COLUMNS:
            return shown
        least, most = min(counts), max(counts)
        return (str(least) if least == most else f"{least} to {most}",)

    def _state(self, met: Meeting, task: TaskId) -> str:
        part = met.parts.get(task)
        if part is None:
            return self._absent(met, task)
        if part.done:
            return f"done, {1e3 * (part.ended - part.begun):.1f} ms"
        if part.broken:
            return f"begun, ended by an error after {duration(part.ended - part.begun)}"
        if task in self.content.ended:
            return "begun, no end recorded"
        return f"begun, {duration(max(self.content.now - part.begun, 0))} ago"

    def _absent(self, met: Meeting, task: TaskId) -> str:
        """The meaning of a missing record: if others completed the exchange, the task took part."""
        ended = any(part.done for part in met.parts.values())
        return "never begun" if is_known(self.content, met, task) and not ended else "not recorded"

    # -- the picture ------------------------------------------------------------------------

    def _progress(self, task: TaskId) -> list[str]:
        shown = self._met[-_DRAWN:]
        parts = [(met, met.parts.get(task)) for met in shown]
        return [
            self._absent(met, task) if part is None else "done" if part.done else "begun"
            for met, part in parts
        ]

    def _marks(self) -> list[tuple[TaskId, str]]:
        """A row of marks per task; empty if all have completed everything."""
        rows = [(task, self._progress(task)) for task in self.content.ledgers]
        if all(state == "done" for _, states in rows for state in states):
            return []
        return [(task, "".join(_MARKS[state][0] for state in states)) for task, states in rows]

    def _picture(self) -> str:
        if not self._marks():
            return ""
        shapes = []
        for place, task in enumerate(self.content.ledgers):
            y = place * _HEIGHT
            shapes.append(svg.text(str(task), 0, y + _HEIGHT - 4, fill="currentColor"))
            for at, state in enumerate(self._progress(task)):
                color = f"var(--mw-{_MARKS[state][1]})"
                met = self._met[-_DRAWN:][at]
                shapes.append(
                    svg.element(
                        "rect",
                        svg.title(f"{task}: {', '.join(self._one(met)[:3])}: {state}"),
                        x=_NAMES + at * _WIDTH,
                        y=y + 2,
                        width=_WIDTH - 2,
                        height=_HEIGHT - 4,
                        fill=color if state == "done" else "none",
                        stroke=color,
                        stroke_dasharray="2" if state[0] == "n" else "none",
                    )
                )
        width, height = _NAMES + _DRAWN * _WIDTH, len(self.content.ledgers) * _HEIGHT
        return svg.element(
            "svg",
            svg.title(f"The last recorded exchanges of each task: {', '.join(_MARKS)}"),
            *shapes,
            xmlns="http://www.w3.org/2000/svg",
            viewBox=f"0 0 {width} {height}",
            width=width,
            height=height,
            role="img",
            font_size=12,
        )

    # -- what follows -----------------------------------------------------------------------

    def _sentences(self) -> list[str]:
        return [words for words in (self.verdict, self._waited()) if words]

    def _waited(self) -> str:
        count, found = waiting_tasks(self.content.ledgers)
        if not count or len(found) < 2:
            return ""
        late = max(found, key=lambda task: found[task].caused)
        shown = [f"{task} {steps.milliseconds(one.seconds)}" for task, one in found.items()]
        words = (
            f"Time spent waiting for the last task: {', '.join(shown[:_COLUMNS])}. The others"
            f" waited longest for {late}: {steps.milliseconds(found[late].caused)} in"
            f" {found[late].last} of {count} exchanges."
        )
        much = 2 * found[late].caused > sum(one.caused for one in found.values())
        why = steps.reason(self._times, late) if much else ""
        return " ".join(filter(None, (words, why, self._transferred(next(iter(found))))))

    def _transferred(self, task: TaskId) -> str:
        """How long exchanges took after the last arrival, also as a share of the step time."""
        met = complete(self._met, len(self.content.ledgers))
        took = {one.parts[task].ended: one.transfer(task) for one in met}
        typical = steps.milliseconds(median(took.values()))
        words = f"An exchange typically took {typical} from the last arrival to its end"
        taken = self._times.of.get(task, ()) if self._times is not None else ()
        ends = [at for at in took if taken and taken[0].begin <= at <= taken[-1].begin]
        if len(ends) > 1:
            within = sum(took[at] for at in ends[1:])
            words += f": {within / (max(ends) - min(ends)):.0%} of the time of the steps"
        return f"{words}."

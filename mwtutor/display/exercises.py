"""Verdicts, hints, solutions and progress, as text and as HTML."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from html import escape

from mwtutor.display.words import duration, lined_up
from mwtutor.exercises import Checked, Exercise, Hints, Opened, Progress, Score
from mwtutor.markup import badge, panel, row, table

#: The first words of a verdict, and the state whose color it has.
STATUS = {
    "right": ("right", "ok"),
    "wrong": ("not right yet", "missing"),
    "not yet": ("not solved yet", "note"),
    "not judged": ("could not be judged", "note"),
}

_TO_DO = "Fill in its cell, run it, and check again."


class VerdictView:
    """The output of ``%mw_check``."""

    def __init__(self, checked: Checked) -> None:
        number, verdict = checked.exercise.id, checked.verdict
        words, self._state = STATUS[verdict.status]
        self._is_stub = verdict.status == "not yet"
        self._head = f"{number}: {words}."
        self._said = verdict.words or (_TO_DO if verdict.status == "not yet" else "")
        self._notes = list(checked.notes)
        if checked.seconds:
            self._notes.append(f"Time since %mw_open: {duration(checked.seconds)}")
        if verdict.status in ("wrong", "not yet"):
            self._notes.append(f"For a hint: %mw_hint {number}")

    def __repr__(self) -> str:
        return "\n".join([f"{self._head} {self._said}".rstrip(), *self._notes])

    def _repr_html_(self) -> str | None:
        if self._is_stub:  # notebooks store this text, so it must not change with every style sheet
            return None
        notes = [f'<div class="mw-faint">{escape(note)}</div>' for note in self._notes]
        head = badge(self._head, self._state)
        return panel(f"<div>{head} {escape(self._said)}</div>", *notes)


class OpenedView:
    """The output of ``%mw_open``."""

    def __init__(self, opened: Opened) -> None:
        self._exercise = opened.exercise
        hard = " (hard)" if self._exercise.hard else ""
        self._head = f"{self._exercise.id}: {self._exercise.title}{hard}"
        new, old = "written, and the clock is running", "unchanged; --new replaces it"
        self._lines = [
            f"{opened.file.name} is {new if opened.is_new else old}.",
            f"Launch it: %mw_launch {self._exercise.launch}",
            f"After you fix it: %mw_check {self._exercise.id}",
            *filter(None, [opened.note]),
        ]

    def __repr__(self) -> str:
        return "\n".join([self._head, "", self._exercise.task, "", *self._lines])

    def _repr_markdown_(self) -> str:
        lines = "\n".join(f"- {line}" for line in self._lines)
        return f"**{self._head}**\n\n{self._exercise.task}\n\n{lines}"


class HintsView:
    """The output of ``%mw_hint``."""

    def __init__(self, hints: Hints) -> None:
        self._number = hints.exercise.id
        self._of = len(hints.exercise.hints)
        self._hints = hints.shown[-1:] if hints.new else hints.shown
        self._first = len(hints.shown) - len(self._hints) + 1
        self._notes = [hints.note] if hints.note else []
        if len(hints.shown) == self._of:
            self._notes.append(
                f"There are no more hints. The solution: %mw_solution {self._number}"
            )

    def _lines(self) -> list[str]:
        return [
            f"{self._number}, hint {at} of {self._of}: {text}"
            for at, text in enumerate(self._hints, self._first)
        ]

    def __repr__(self) -> str:
        return "\n".join([*self._lines(), *self._notes])

    def _repr_markdown_(self) -> str:
        return "\n\n".join([*self._lines(), *self._notes])


class SolutionView:
    """The output of ``%mw_solution``."""

    def __init__(self, exercise: Exercise) -> None:
        self._exercise = exercise

    def __repr__(self) -> str:
        one = self._exercise
        return f"{one.id}, {one.title}: a solution\n\n{one.solution.strip()}\n\n{one.reasoning}"

    def _repr_markdown_(self) -> str:
        one = self._exercise
        return (
            f"**{one.id}, {one.title}: a solution**\n\n"
            f"```python\n{one.solution.strip()}\n```\n\n{one.reasoning}"
        )


#: The columns; the last one is shown if something was timed.
_HEADER = ("exercise", "title", "state", "attempts", "hints", "solution", "time")


class ProgressView:
    """The output of ``%mw_progress``."""

    def __init__(self, lessons: Mapping[str, Sequence[Progress]], score: Score) -> None:
        rows = [_cells(one) for standings in lessons.values() for one in standings]
        self._header = _HEADER if any(row[-1] for row in rows) else _HEADER[:-1]
        self._rows = [row[: len(self._header)] for row in rows]
        solved = sum(one.record.solved for standings in lessons.values() for one in standings)
        self._summary = f"{solved} of {len(self._rows)} exercises are solved."
        if not self._rows:
            self._summary = "There are no exercises here yet."
        if score.made:
            self._summary += f" Predictions: {score.right} of {score.made} values are right."

    def __repr__(self) -> str:
        lines = lined_up([self._header, *self._rows]) if self._rows else []
        return "\n".join([*lines, self._summary])

    def _repr_html_(self) -> str:
        rows = [_html(cells) for cells in self._rows]
        return panel(
            *([table(self._header, rows)] if rows else []), f"<div>{escape(self._summary)}</div>"
        )


def _cells(one: Progress) -> tuple[str, ...]:
    exercise, record = one.exercise, one.record
    return (
        exercise.id,
        f"{exercise.title} (hard)" if exercise.hard else exercise.title,
        "solved" if record.solved else "tried" if record.attempts else "not yet",
        str(record.attempts or ""),
        f"{min(record.hints, len(exercise.hints))} of {len(exercise.hints)}",
        "shown" if record.solution else "",
        duration(record.seconds) if record.seconds else "",
    )


_COLORS = {"solved": "ok", "tried": "note", "not yet": "text"}


def _html(cells: Sequence[str]) -> str:
    number, title, state, *rest = cells
    shown = badge(state, _COLORS[state])
    return row(escape(number), escape(title), shown, *map(escape, rest))

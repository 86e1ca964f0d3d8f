"""The progress of a class, as text and as a page."""

from __future__ import annotations

from collections.abc import Iterator
from html import escape
from statistics import median

from mwtutor import svg
from mwtutor.exercises import Exercise
from mwtutor.exercises.catalogue import all_lessons
from mwtutor.exercises.classes import ClassProgress, PartSums, Standing
from mwtutor.exercises.grading import reports
from mwtutor.markup import bar, panel, row, table

#: Pixels: the size of a cell of the grid, the space above the grid, and the width of a character.
_CELL, _TOP, _CHARACTER = 20, 50, 7.5

#: The longest name that the grid shows, in characters.
_LONGEST = 30

_NO_MISCONCEPTION = "a mistake that fits no known misconception"


class ClassView:
    """The output of ``mwtutor progress``."""

    def __init__(self, found: ClassProgress) -> None:
        self._found = found

    def __repr__(self) -> str:
        found = self._found
        lines = [f"learners with a record: {found.learners}"]
        if found.exercises:
            lines += ["", "exercise  tried  solved  attempts  hints  solutions"]
        for key, one in found.exercises.items():
            lines.append(
                f"{key:8}  {one.tried:5}  {one.solved:6}  {one.attempts:8}  {one.hints:5}"
                f"  {one.solutions:9}"
            )
        if found.predictions:
            lines += ["", "prediction  right   what they predicted"]
        for key, of_one in found.predictions.items():
            for part in of_one:
                about, right, guesses = _predicted(part)
                lines.append(f"{key:10}  {right:7} {about}: {guesses or 'nothing'}")
        return "\n".join([*lines, *("" for _ in found.unread[:1]), *found.unread])


class ClassPage:
    """The page that ``mwtutor progress --html`` writes."""

    def __init__(self, found: ClassProgress) -> None:
        self._found = found
        self._known = {one.id: one for each in all_lessons().values() for one in each}

    def page(self) -> bytes:
        """A self-contained page."""
        found = self._found
        parts = [
            *(f"<p>{escape(one)}</p>" for one in found.unread),
            *self._section("How far the learners have come", self._grid()),
            *self._section("How many tries each exercise takes", self._tries()),
            *self._section("Misconceptions", self._misconceptions()),
            *self._section("Predictions", self._predictions()),
        ]
        return reports.page(f"A class of {found.learners} learners", panel(*parts))

    def _section(self, title: str, content: str) -> Iterator[str]:
        if content:
            yield f"<h2>{title}</h2>{content}"

    def _title(self, exercise: str) -> str:
        known: Exercise | None = self._known.get(exercise)
        return known.title if known is not None else ""

    def _grid(self) -> str:
        """A row for each learner, a column for each exercise."""
        columns = [*self._found.exercises]
        if not columns:
            return ""
        names = [one.name[-_LONGEST:] or str(at) for at, one in enumerate(self._found.standings, 1)]
        left = _CHARACTER * max(map(len, names), default=0) + 10
        width, height = left + _CELL * len(columns) + 10, _TOP + _CELL * len(names) + 5
        heads = [
            svg.text(
                key, 0, 0, transform=f"translate({left + _CELL * at + 14} {_TOP - 6}) rotate(-60)"
            )
            for at, key in enumerate(columns)
        ]
        rows = [
            part
            for at, (name, one) in enumerate(zip(names, self._found.standings, strict=True))
            for part in _line(name, one, columns, left, _TOP + _CELL * (at + 0.5))
        ]
        size = {"width": width, "height": height, "viewBox": f"0 0 {width:g} {height:g}"}
        said = "For each learner and exercise: solved, tried, or not tried"
        drawn = svg.element(
            "svg", *heads, *rows, role="img", aria_label=said, fill="currentColor",
            font_family="sans-serif", font_size=12, **size,
        )  # fmt: skip
        legend = "A filled circle: solved. A ring: tried, not solved. A dot: not tried."
        return (
            '<div style="overflow-x:auto" tabindex="0" role="group" aria-label="picture">'
            f'{drawn}</div><p class="mw-faint">{legend}</p>'
        )

    def _tries(self) -> str:
        rows = []
        for key, one in self._found.exercises.items():
            tries = f"{median(one.tries):g} ({one.tries[-1]})" if one.tries else ""
            label = f"{one.solved} of {one.tried} learners who tried {key} solved it"
            share = bar(min(1.0, one.solved / one.tried), label) if one.tried else ""
            solved = f"{share}{one.solved} of {one.tried}"
            hints = f"{one.hints}", f"{one.solutions}"
            rows.append(row(escape(key), escape(self._title(key)), solved, tries, *hints, spare=4))
        head = ("exercise", "title", "solved", "tries: median (most)", "hints", "solutions")
        return table(head, rows, spare=4) if rows else ""

    def _misconceptions(self) -> str:
        shown = [
            (count, key, words)
            for key, one in self._found.exercises.items()
            for words, count in one.misconceptions.items()
        ]
        rows = []
        for count, key, words in sorted(shown, key=lambda one: (-one[0], one[1])):
            tried = self._found.exercises[key].tried
            share = bar(min(1.0, count / tried), f"{count} of {tried} learners") if tried else ""
            rows.append(
                row(escape(key), escape(words or _NO_MISCONCEPTION), f"{share}{count} of {tried}")
            )
        return table(("exercise", "misconception", "learners"), rows) if rows else ""

    def _predictions(self) -> str:
        rows = []
        for key, parts in self._found.predictions.items():
            for part in parts:
                rows.append(row(escape(key), *map(escape, _predicted(part))))
        return table(("prediction", "it was", "right", "predicted"), rows) if rows else ""


def _line(name: str, one: Standing, columns: list[str], left: float, y: float) -> Iterator[str]:
    """The name of a learner, and a mark for each exercise."""
    yield svg.text(name, left - 8, y + 4, text_anchor="end")
    for at, key in enumerate(columns):
        is_solved, is_tried = key in one.solved, key in one.tried
        state = "solved" if is_solved else "tried" if is_tried else "not tried"
        color = "good" if is_solved else "attention" if is_tried else "faint"
        look = {
            "r": 6.0 if is_solved else 5.0 if is_tried else 1.5,
            "fill": "none" if is_tried else "currentColor",
            "stroke": "currentColor" if is_tried else "none",
        }
        tip = svg.title(f"{name}, {key}: {state}")
        yield svg.element(
            "circle", tip, cx=left + _CELL * (at + 0.5), cy=y, class_=f"mw-{color}", **look
        )


def _predicted(part: PartSums) -> tuple[str, str, str]:
    """The outcome, how many predictions were right, and the predicted values."""
    guesses = ", ".join(f"{value} ({count})" for value, count in part.guesses.items())
    came = " or ".join(part.outcomes)
    return f"{part.name} {came}".strip(), f"{part.right} of {part.made}", guesses

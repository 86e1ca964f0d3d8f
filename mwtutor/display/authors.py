"""The output of the commands for teachers and exercise authors in a terminal."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from mwtutor.display.exercises import STATUS
from mwtutor.exercises import Exercise
from mwtutor.exercises.grading import reports
from mwtutor.exercises.grading.grades import Grade, Learner
from mwtutor.exercises.trials import Judged, Mutated, Untried


class TriedView:
    """The output of ``mwtutor exercise test`` for one file, or for the mutations."""

    def __init__(self, tried: Judged | Mutated | Untried) -> None:
        self._tried = tried

    def __repr__(self) -> str:
        one = self._tried
        if isinstance(one, Mutated):
            return "\n".join([_sum(one), *(f"    {change}" for change in one.right)])
        if isinstance(one, Untried):
            return f"        It was not tested: {one.why}."
        if one.fault:
            words = f" The verdict was: {one.status}. {one.words}" if one.status else ""
            return f"  FAULT {one.file}: {one.fault}.{words}".rstrip()
        return f"  ok    {one.file}: {STATUS[one.status][0]}. {one.words}".rstrip()


class GradeView:
    """The output of ``mwtutor grade`` for one exercise of a learner."""

    def __init__(self, learner: str, exercise: str, grade: Grade) -> None:
        self._of, self._grade = f"{learner} {exercise}", grade

    def __repr__(self) -> str:
        one = self._grade
        points = f"{self._of}: {one.points:g} of {one.possible:g}"
        return "\n    ".join([points, *reports.words(one)])


class GradesView:
    """The last output of ``mwtutor grade``: the table of all learners."""

    def __init__(
        self, learners: Mapping[str, Learner], exercises: Sequence[Exercise], place: Path
    ) -> None:
        self._learners, self._exercises, self._place = learners, exercises, place

    def __repr__(self) -> str:
        ids = [one.id for one in self._exercises]
        width = max(map(len, ["learner", *self._learners]))
        lines = ["", "  ".join([f"{'learner':{width}}", *(f"{key:>6}" for key in ids), "points"])]
        review = []
        for name, one in self._learners.items():
            points = [f"{one.grades[key].points:g}" if key in one.grades else "" for key in ids]
            row = [f"{name:{width}}", *(f"{shown:>6}" for shown in points), f"{one.points:6g}"]
            lines.append("  ".join(row))
            review += [f"{name} {key}" for key in one.to_review]
            lines += [f"    {problem}" for problem in one.problems]
        if review:
            lines.append(f"Not judged, so review them yourself: {', '.join(review)}.")
        return "\n".join([*lines, f"Results: {self._place}"])


def _sum(mutated: Mutated) -> str:
    if not mutated.judged:
        return "        No mutation of the solution was tested."
    missed = len(mutated.right)
    judged = f"        The check judged {missed or 'none'} of {mutated.judged} mutations right"
    return f"{judged}:" if missed else f"{judged}."

"""The check of an exercise as an assertion, for tools that grade notebooks by running them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from mwtutor.executed import Executed
from mwtutor.exercises.checking import Checked, check
from mwtutor.singletons import singleton


class NotSolved(AssertionError):
    """An exercise is not solved, or could not be judged; the message is the verdict."""

    def __init__(self, checked: Checked) -> None:
        one = checked.verdict
        words = " ".join(filter(None, [one.words, *checked.notes]))
        super().__init__(f"{checked.exercise.id}: {one.status}. {words}".rstrip())
        self.checked = checked

    def _render_traceback_(self) -> list[str]:
        """The lines that IPython prints instead of mwtutor's traceback."""
        return [f"{type(self).__name__}: {self}"]


def require(exercise: str, variables: Mapping[str, Any] | None = None) -> None:
    """Check an exercise, and raise an error unless it is right.

    It needs no magics, so that nbgrader, otter-grader or a plain test can call it.

    Args:
        exercise: its number, for example ``05-1``.
        variables: the notebook's; those of ``__main__`` by default.

    Raises:
        NotSolved: the verdict is not "right".
        BadInput: there is no such exercise.
    """
    checked = check(exercise, variables, executed=singleton(Executed))
    if checked.verdict.status != "right":
        raise NotSolved(checked)

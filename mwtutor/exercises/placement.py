"""The lesson to begin with, according to the predictions in a placement test."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from mwtutor.exceptions import BadInput
from mwtutor.exercises.predictions import PREDICTIONS, Prediction, demand_id


@dataclass(frozen=True)
class Question:
    """A question of a placement test.

    Attributes:
        id: the id of its prediction.
        lesson: the lesson that answers it.
        prediction: the learner's prediction, and the outcome.
    """

    id: str
    lesson: str
    prediction: Prediction

    @property
    def right(self) -> bool:
        """Whether every value was predicted correctly, and before the outcome was known."""
        return self.prediction.counts and all(self.prediction.hits)


def place(words: Sequence[str]) -> tuple[Question, ...]:
    """The questions of a placement test, with the learner's predictions.

    Args:
        words: for each question, in the order of the lessons, the id of its prediction and the
            lesson that answers it: ``00-h=01``.

    Raises:
        BadInput: a word is something else, or the stored predictions cannot be read.
    """
    known = PREDICTIONS.all()
    return tuple(_question(word, known.get(word.partition("=")[0])) for word in words)


def _question(word: str, prediction: Prediction | None) -> Question:
    number, _, lesson = word.partition("=")
    demand_id(number)
    if not lesson:
        raise BadInput(f"{word!r} names no lesson.", f"Write the lesson after the id: {number}=05.")
    return Question(number, lesson, prediction or Prediction())

"""The recommended first lesson, from the predictions of a placement test."""

from __future__ import annotations

import pytest

from mwtutor import exercises as api
from mwtutor.display.predictions import placement_text
from mwtutor.exceptions import BadInput
from mwtutor.executed import Executed, ExecutedCell

QUESTIONS = ("00-h=01", "00-i=02", "00-j=05")


def answer(number: str, guess: str, found: str) -> None:
    executed = Executed()
    for _ in range(3):
        executed.append(ExecutedCell("cell", 0.0))
    if guess:
        api.predict(number, [guess], executed[:1])
    api.outcome(number, [found], executed)


def test_the_first_question_that_was_not_predicted_right_decides(work):
    answer("00-h", "4", "4")
    answer("00-i", "", "same")
    answer("00-j", "7", "6")
    assert placement_text(api.place(QUESTIONS)) == (
        "You predicted 1 of 3 outcomes correctly. Begin with lesson 02.\n"
        "Not right: 00-j (lesson 05)\n"
        "No prediction that counts: 00-i (lesson 02)"
    )


def test_whoever_predicts_everything_may_begin_anywhere(work):
    for number in ("00-h", "00-i", "00-j"):
        answer(number, "4", "4")
    assert (
        placement_text(api.place(QUESTIONS))
        == "You predicted all 3 outcomes correctly. Begin with any lesson."
    )


def test_without_predictions_one_begins_with_the_first_lesson(work):
    answer("00-h", "", "4")
    answer("00-i", "same", "same")
    api.predict("00-j", ["6"], Executed())  # its outcome is not known
    assert placement_text(api.place(["00-h=01", "00-j=05"])) == (
        "No prediction was recorded before its outcome was known. Begin with lesson 01."
    )


def test_a_prediction_after_its_outcome_does_not_count(work):
    answer("00-h", "", "4")
    answer("00-h", "4", "4")
    assert "Begin with lesson 01." in placement_text(api.place(QUESTIONS))


@pytest.mark.parametrize(
    ("word", "problem"), [("5", "'5' is not the id"), ("00-h", "'00-h' names no lesson.")]
)
def test_other_words_are_refused(work, word, problem):
    with pytest.raises(BadInput, match=problem):
        api.place([word])

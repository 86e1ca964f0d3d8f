"""Predictions: what is recorded, what agrees, and what does not count."""

from __future__ import annotations

import pytest

from mwtutor import exercises as api
from mwtutor.display.exercises import ProgressView
from mwtutor.display.predictions import OutcomeView, prediction_text
from mwtutor.exceptions import BadInput
from mwtutor.executed import Executed, ExecutedCell
from mwtutor.exercises.predictions import PREDICTIONS, Places
from mwtutor.singletons import singleton


@pytest.fixture
def cells(work):
    """A notebook: the code that it executes, and its two magics."""
    singleton(Places).clear()
    return Notebook()


class Notebook:
    def __init__(self) -> None:
        self.executed = Executed()

    def run(self, source: str = "cell") -> None:
        self.executed.append(ExecutedCell(source, 0.0))

    def predict(self, *words: str) -> str:
        self.run("predict")
        return prediction_text(api.predict("05-a", words, self.executed))

    def outcome(self, *words: str) -> str:
        self.run("outcome")
        return repr(OutcomeView(api.outcome("05-a", words, self.executed)))


BLANK = (
    "05-a: no prediction recorded. Replace each ... with what you expect, and run this cell again."
)


def test_a_notebook_runs_without_any_prediction(cells):
    assert cells.predict("OFF=...", "DATA=...") == BLANK
    assert cells.predict() == BLANK
    assert cells.predict("OFF=6", "DATA=...") == BLANK
    cells.run()
    assert cells.outcome("OFF=6", "DATA=3") == "05-a: OFF 6, DATA 3. You recorded no prediction."
    assert api.score() == api.Score(0, 0)


def test_a_prediction_is_shown_next_to_what_happened(cells):
    assert cells.predict("OFF=3", "DATA=3") == "05-a: you predict OFF 3, DATA 3."
    cells.run()
    shown = cells.outcome("OFF=6", "DATA=3")
    assert shown.splitlines() == [
        "05-a: 1 of 2 predicted values are right.",
        "    OFF: predicted 3, was 6: not right",
        "    DATA: predicted 3, was 3: right",
    ]
    assert api.score("05") == api.score() == api.Score(1, 2)
    assert api.score("06") == api.Score(0, 0)
    assert repr(ProgressView({}, api.score())).endswith("Predictions: 1 of 2 values are right.")


def test_it_can_be_changed_until_the_outcome_is_known(cells):
    cells.predict("OFF=3")
    assert cells.predict("OFF=6") == "05-a: you predict OFF 6."
    cells.run()
    cells.outcome("OFF=6")
    assert cells.predict("OFF=6") == "05-a: you predict OFF 6.", "the same again, in Run All"
    assert cells.predict("OFF=7") == (
        "05-a: you predict OFF 6. It can no longer be changed, because the outcome is known."
    )
    assert api.score() == api.Score(1, 1)


def test_a_blank_does_not_deny_an_earlier_prediction(cells):
    cells.predict("OFF=3")
    still = "05-a: nothing was changed. Your prediction is still OFF 3."
    assert cells.predict("OFF=...") == still
    assert "predicted 3, was 6" in cells.outcome("OFF=6")
    assert cells.predict("OFF=...") == still


def test_what_was_noted_after_the_cells_ran_does_not_count(cells):
    cells.run()
    cells.predict("6")
    late = "The outcome was already known, so this prediction does not count."
    assert cells.outcome("OFF=6").splitlines()[-1] == late
    cells.run()
    assert cells.outcome("OFF=6").splitlines()[-1] == late, "running them again changes nothing"
    assert api.score() == api.Score(0, 0)


def test_what_was_noted_after_the_outcome_does_not_count(cells):
    cells.run()
    cells.outcome("OFF=6")
    assert cells.predict("6") == (
        "05-a: you predict 6. The outcome was already known, so this prediction does not count."
    )
    assert api.score() == api.Score(0, 0)


def test_what_was_changed_after_the_cells_ran_does_not_count(cells):
    cells.predict("OFF=3")
    cells.run()
    cells.predict("OFF=6")
    assert "already known" in cells.outcome("OFF=6")
    assert api.score() == api.Score(0, 0)


def test_a_restarted_kernel_changes_nothing(cells):
    cells.predict("OFF=6")
    cells.executed.clear()
    singleton(Places).clear()
    cells.run()
    assert "1 of 1" in cells.outcome("OFF=6")
    assert api.score() == api.Score(1, 1)


@pytest.mark.parametrize(
    ("guess", "found", "agree"),
    [
        ("6", "6", True),
        ("6.0", "6", True),
        ("6", "6.5", False),
        ("[2, 3]", "[2, 3]", True),
        ("(2, 3)", "[2, 3]", True),
        ("[2 3]", "[2.0, 3.0]", True),
        ("[2  -3]", "[2, -3]", True),
        ("[3, 2]", "[2, 3]", False),
        ("Both", "both", True),
        ("worker:0", "worker:0", True),
        ("worker:0", "worker:1", False),
        ("true", "True", True),
        ("no", "False", True),
        ("yes", "no", False),
        ("true", "yes", True),
        ("two", "2", True),
        ("Both", "2", True),
        ("one", "2", False),
        ("~6", "6", True),
        ("~6", "7", False),
        ("1", "True", False),
        ("y", "yes", True),
        ("N", "no", True),
        ("no.", "no", True),
        ("as much", "as_much", True),
        ("`as-much`", "as_much", True),
        ("'as_much'", "as_much", True),
        ("much", "as_much", False),
        ("worker 1", "worker:1", True),
        ("worker1", "worker:1", True),
        ("worker:11", "worker:1", False),
        ("?", "no", False),
        ("2;", "2", True),
        ("ten", "10", True),
        ("8,192 bytes", "8192", True),
        ("8192B", "8192", True),
        ("8192 kB", "8192", False),
        ("2 value", "2", True),
        ("1 or 2 rows", "2", False),
        ("32*64*4", "8192", True),
        ("32 x 64", "8192", False),
        ("a, b", "a b", True),
        ("48,000", "48000", True),
        ("48,000.5", "48000", False),
        ("1,200", "[1, 200]", True),
        ("3/4", "0.75", True),
        ("60 %", "0.6", True),
        ("60%", "0.5", False),
        ("3/0", "0.75", False),
        ("None", "none", True),
        ("eight", "8", True),
        ("8 rows", "8", True),
        ("8 rows each", "8", True),
        ("two rows", "2", True),
        ("48,000 rows", "48000", True),
        ("1 ms", "1", False),
        ("9 rows", "8", False),
        ("2", "two", True),
        ("both", "two", False),
        ("1", "two", False),
        ("n", "yes", False),
        ("fails", "fail", True),
        ("Failed", "fail", True),
        ("waiting", "wait", True),
        ("waits", "fail", False),
        ("stop", "stopped", True),
        ("continues", "continue", True),
        ("fall", "falling", True),
        ("low", "lower", False),
        ("reduce-scatter", "reduce_scatter", True),
    ],
)
def test_what_agrees(cells, guess, found, agree):
    cells.predict(guess)
    cells.run()
    assert ("1 of 1" in cells.outcome(f"value={found}")) is agree


@pytest.mark.parametrize("words", ["OFF=6, DATA=3", "OFF=6, DATA=3,", "6, 3"])
def test_parts_may_be_separated_by_commas(cells, words):
    cells.predict(*words.split())
    cells.run()
    assert "2 of 2" in cells.outcome("OFF=6", "DATA=3")


def test_a_list_needs_no_brackets(cells):
    words = "OFF=4, 3, 2, 1 DATA=8,8"
    assert cells.predict(*words.split()) == "05-a: you predict OFF 4, 3, 2, 1, DATA 8,8."
    cells.run()
    assert "2 of 2" in cells.outcome("OFF=[4,", "3,", "2,", "1]", "DATA=[8,", "8]")


@pytest.mark.parametrize(
    "typed", ["first=worker 0 second=8 rows", "first = worker 0 second = 8", "worker:0 8"]
)
def test_parts_may_have_several_words(cells, typed):
    cells.predict(*typed.split())
    cells.run()
    assert "2 of 2" in cells.outcome("first=worker:0", "second=8")


def test_the_only_value_needs_no_name(cells):
    cells.predict("8", "rows")
    cells.run()
    assert "1 of 1" in cells.outcome("rows=8")


@pytest.mark.parametrize("words", ["more=as much", "more = as_much", "as much"])
def test_a_value_may_be_several_words(cells, words):
    cells.predict(*words.split())
    cells.run()
    assert "1 of 1" in cells.outcome("more=as_much")


def test_each_value_may_be_several_words(cells):
    assert cells.predict("first=8", "rows,", "then=as", "much")
    cells.run()
    assert "2 of 2" in cells.outcome("first=8", "then=as_much")


@pytest.mark.parametrize("words", ["more=not as much", "as much or less", "more=as # much"])
def test_several_words_that_differ_are_not_compared(cells, words):
    cells.predict(*words.split())
    cells.run()
    assert "the two are not compared" in cells.outcome("more=much")


@pytest.mark.parametrize(("guess", "agree"), [("20", True), ("24", True), ("30", False)])
def test_a_measured_value_may_be_off_by_a_quarter(cells, guess, agree):
    cells.predict(f"time={guess}")
    cells.run()
    assert ("1 of 1" in cells.outcome("time~21.7")) is agree


def test_a_list_may_be_typed_with_spaces(cells):
    assert cells.predict("rows=[2,", "3]", "1") == "05-a: you predict rows [2, 3], 1."


@pytest.mark.parametrize("guess", [("1", "2", "3"), ("OFF=1", "FILE=2"), ("1", "DATA=2")])
def test_other_parts_are_not_compared(cells, guess):
    cells.predict(*guess)
    cells.run()
    assert "does not have the same parts as the result" in cells.outcome("OFF=6", "DATA=3")
    assert api.score() == api.Score(0, 0)


def test_names_may_come_in_any_order(cells):
    cells.predict("data=3", "off=6")
    cells.run()
    assert "2 of 2" in cells.outcome("OFF=6", "DATA=3")


@pytest.mark.parametrize("word", ['OFF={steps["OFF"]}', "", "OFF="])
def test_an_outcome_that_is_not_known_yet(cells, word):
    with pytest.raises(BadInput, match=r"05-a: the outcome is not known yet\.\nRun the cells"):
        cells.outcome(word)
    assert PREDICTIONS.all() == {}


@pytest.mark.parametrize("number", ["05", "05-1", "a", "", "05-ab", "../../05-a"])
def test_an_id_that_is_none(work, number):
    with pytest.raises(BadInput, match="is not the id of a prediction"):
        api.predict(number, ["6"], [])
    with pytest.raises(BadInput, match="is not the id of a prediction"):
        api.outcome(number, ["6"], [])


def test_what_a_learner_types_is_escaped(cells):
    cells.predict("<b>=<script>")
    cells.run()
    cells.run("outcome")
    view = OutcomeView(api.outcome("05-a", ["<b>=1"], cells.executed))
    assert "<script>" not in view._repr_html_()
    assert "&lt;script&gt;" in view._repr_html_()


def test_a_damaged_file_is_kept_aside(cells, work):
    file = work / ".mwtutor" / "predictions.json"
    cells.predict("6")
    file.write_text('{"05-a": {"guess": [6]}}')
    with pytest.raises(BadInput, match="Your progress cannot be read"):
        api.score()
    shown = cells.predict("6")
    assert shown.startswith("05-a: you predict 6. ")
    assert (
        "It was renamed to predictions.json.damaged-1; the entries that could be read are kept"
        in shown
    )
    assert (work / ".mwtutor" / "predictions.json.damaged-1").exists()

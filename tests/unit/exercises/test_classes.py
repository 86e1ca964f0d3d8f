"""A class, summarized from its learners' records."""

from __future__ import annotations

import json

import pytest

from mwtutor.cli import main
from mwtutor.exceptions import BadInput
from mwtutor.exercises.classes import ExerciseSums, PartSums, Standing, class_progress

RECORD = {"solved": True, "attempts": 2, "hints": 1, "solution": False}


def prediction(guess, outcome=("OFF=6",), hits=(True,), **more):
    return {"guess": guess, "outcome": outcome, "hits": hits, **more}


@pytest.fixture
def learner(work):
    """Write a learner's records."""

    def write(name, progress=None, predictions=None):
        home = work / "class" / name / "notebooks" / ".mwtutor"
        home.mkdir(parents=True)
        for file, content in (("progress", progress), ("predictions", predictions)):
            if content is not None:
                (home / f"{file}.json").write_text(json.dumps(content))

    return write


def test_a_class_is_summed_up(learner, work):
    learner("anna", {"05-1": RECORD}, {"05-a": prediction(["OFF=6"])})
    learner("ben", {"05-1": {**RECORD, "solved": False}}, {"05-a": prediction(["3"], hits=[False])})
    learner("cleo", {"05-2": {"solution": True}}, {"05-a": prediction(["9"], late=True)})
    learner("dan")
    found = class_progress([work / "class"])
    assert found.learners == 3
    assert found.exercises == {
        "05-1": ExerciseSums(tried=2, solved=1, attempts=4, hints=2, solutions=0),
        "05-2": ExerciseSums(tried=0, solved=0, attempts=0, hints=0, solutions=1),
    }
    assert found.predictions == {"05-a": (PartSums("OFF", 1, 2, {"6": 1, "3": 1}, {"6": 3}),)}
    assert found == class_progress([work / "class" / name for name in ("anna", "ben", "cleo")])


def test_what_a_teacher_reads(learner, work, capsys):
    learner("anna", {"05-1": RECORD}, {"05-a": prediction(["OFF=3"], hits=[False])})
    assert main(["progress", "class"]) == 0
    shown = capsys.readouterr().out
    assert shown.splitlines() == [
        "learners with a record: 1",
        "",
        "exercise  tried  solved  attempts  hints  solutions",
        "05-1          1       1         2      1          0",
        "",
        "prediction  right   what they predicted",
        "05-a        0 of 1  OFF 6: 3 (1)",
    ]
    assert "anna" not in shown
    assert main(["progress", "class", "--json"]) == 0
    assert json.loads(capsys.readouterr().out)["predictions"]["05-a"][0]["guesses"] == {"3": 1}


def test_damaged_and_edited_records_are_named_and_the_rest_is_read(learner, work):
    learner("anna", {"05-1": RECORD})
    learner("ben", {"05-1": 7})
    learner("cleo", None, {"05-a": prediction([], hits=[True, True]), "05-b": {"guess": ["1"]}})
    found = class_progress([work / "class"], names=True)
    assert found.learners == 2
    assert found.exercises["05-1"].solved == 1
    (why,) = found.unread
    assert "ben" in why
    assert "has entries that mwtutor did not write" in why
    assert found.predictions == {"05-a": (PartSums("OFF", 0, 0, {}, {"6": 1}),), "05-b": ()}


def test_another_edition_of_a_lesson_is_left_out(learner, work):
    for name in ("anna", "ben"):
        learner(name, None, {"05-a": prediction(["6"])})
    learner("cleo", None, {"05-a": prediction(["1"], outcome=["DATA=3"], hits=[False])})
    (part,) = class_progress([work / "class"]).predictions["05-a"]
    assert part == PartSums("OFF", 2, 2, {"6": 2}, {"6": 2})


def test_links_are_not_followed(learner, work):
    learner("anna", {"05-1": RECORD})
    (work / "other").mkdir()
    (work / "other" / "ben").symlink_to(work / "class" / "anna")
    (work / "other" / ".mwtutor").symlink_to(work / "class" / "anna" / "notebooks" / ".mwtutor")
    found = class_progress([work / "other"], names=True)
    assert found.learners == 0
    (why,) = found.unread
    assert "cannot be read" in why


def test_folders_without_learners(work):
    with pytest.raises(BadInput, match=r"No learner has a record in .*\nName the folders"):
        class_progress([work])
    with pytest.raises(BadInput, match="missing does not exist"):
        class_progress([work.relative_to(work) / "missing"])


WRONG = "shuffling and sharding do not go together"


@pytest.fixture
def three(learner):
    learner("anna", {"05-1": {**RECORD, "tries": 2, "misconceptions": [WRONG, "", WRONG]}})
    learner("ben", {"05-1": {"attempts": 4, "misconceptions": [WRONG] * 4}, "05-2": RECORD})
    learner("<b>", {"05-1": 7})


def test_tries_misconceptions_and_where_learners_are(three, work):
    found = class_progress([work / "class"])
    one = found.exercises["05-1"]
    assert (one.tries, one.misconceptions) == ((2,), {WRONG: 2, "": 1})
    assert found.standings == (
        Standing("", ("05-1",), ()),
        Standing("", ("05-2",), ("05-1",)),
    )
    names = [one.name for one in class_progress([work / "class"], names=True).standings]
    assert names == ["anna/notebooks", "ben/notebooks"]


def test_a_page_names_nobody_unless_that_is_requested(three, work, capsys):
    def page(*words: str) -> str:
        assert main(["progress", "class", "--html", "class.html", *words]) == 0
        return (work / "class.html").read_text() + capsys.readouterr().out

    shown = page("--json")
    assert not any(name in shown for name in ("anna", "ben", str(work)))
    assert "The record of a learner cannot be read" in shown
    for words in (WRONG, "2 of 2", "1 of 2", "2 (2)", "1, 05-1: solved", "2, 05-1: tried"):
        assert words in shown
    assert "http" not in shown
    named = page("--names")
    assert "anna/notebooks, 05-1: solved" in named
    assert "&lt;b&gt;/notebooks" in named
    assert "<b>/notebooks" not in (work / "class.html").read_text()


def test_a_page_that_cannot_be_written(three, capsys):
    assert main(["progress", "class", "--html", "missing/class.html"]) != 0
    shown = capsys.readouterr().err
    assert "missing/class.html cannot be written: No such file or directory" in shown
    assert "Name another file with --html." in shown

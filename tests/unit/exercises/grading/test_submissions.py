"""Which code of which learner is found in a folder of notebooks."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from mwtutor.exceptions import BadInput
from mwtutor.exercises import catalogue
from mwtutor.exercises.grading.submissions import NO_CELL, Submission, submissions
from mwtutor.exercises.workspaces import MARK

EXERCISES = [catalogue.find("03-1"), catalogue.find("03-2")]
STUB = EXERCISES[0].stub


def cell(code: Any, *tags: str, id: str = "any") -> dict[str, Any]:
    return {"cell_type": "code", "id": id, "metadata": {"tags": [*tags]}, "source": code}


@pytest.fixture
def submit(work: Path):
    def submit_one(path: str, *cells: dict[str, Any]) -> None:
        file = work / "submitted" / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({"cells": [*cells]}))

    return submit_one


def found() -> dict[str, Submission]:
    given = submissions(Path("submitted"), EXERCISES, {"03-1": "cell-of-1"})
    return {one.learner: one for one in given}


def test_a_learner_is_a_folder_or_a_file(submit):
    submit("anna/lesson/03.ipynb", cell("a = 1", "exercise-03-1"))
    submit("ben.ipynb", cell(["b = ", "2"], "exercise-03-1"), cell("c = 3", "exercise-03-2"))
    submit("cleo/.ipynb_checkpoints/03.ipynb", cell("d = 4", "exercise-03-1"))
    submit("cleo/03.ipynb", cell("e = 5", id="cell-of-1"), cell("f = 6", id="cell-of-2"))
    assert {name: one.code for name, one in found().items()} == {
        "anna": {"03-1": "a = 1"},
        "ben": {"03-1": "b = 2", "03-2": "c = 3"},
        "cleo": {"03-1": "e = 5"},
    }


def test_of_copied_cells_the_last_changed_one_counts(submit):
    copies = [cell(code, "exercise-03-1") for code in (STUB, "a = 1", "a = 2", STUB + "\n")]
    submit("anna.ipynb", *copies)
    submit("ben.ipynb", copies[0])
    assert [one.code["03-1"] for one in found().values()] == ["a = 2", STUB]


def test_what_is_not_read_is_said(submit, work):
    submit("anna/1.ipynb", cell("a = 1", "exercise-03-1"))
    submit("anna/2.ipynb", cell("a = 2", "exercise-03-1"))
    (work / "submitted" / "ben.ipynb").symlink_to(work / "submitted" / "anna" / "1.ipynb")
    for name, text in {"cleo": "none", "dan": "[]", "eve": '{"cells": [{}]}'}.items():
        (work / "submitted" / f"{name}.ipynb").write_text(text)
    with open(work / "submitted" / "finn.ipynb", "wb") as huge:
        huge.truncate(1 << 40)
    (work / "submitted" / "gus.ipynb").mkdir()
    assert {name: (dict(one.code), one.problems) for name, one in found().items()} == {
        "anna": (
            {"03-1": "a = 1"},
            ("Both 1.ipynb and 2.ipynb contain exercise 03-1: the first was graded.",),
        ),
        "ben": ({}, ("ben.ipynb is a link, and was not read.",)),
        "cleo": ({}, ("cleo.ipynb cannot be read: it is not a notebook.",)),
        "dan": ({}, ("dan.ipynb cannot be read: it is not a notebook.",)),
        "eve": ({}, ("eve.ipynb cannot be read: it is not a notebook.",)),
        "finn": ({}, ("finn.ipynb cannot be read: it has more than 64 MiB.",)),
    }


@pytest.mark.parametrize("place", ["nowhere", "empty"])
def test_a_folder_without_notebooks_is_refused(work, place):
    (work / "empty").mkdir()
    with pytest.raises(BadInput, match=place):
        submissions(Path(place), EXERCISES, {})


PROGRAM = catalogue.find("22-07")


def program() -> Submission:
    (one,) = submissions(Path("submitted"), [PROGRAM], {})
    return one


def test_a_program_is_the_file_that_the_learner_edited_or_the_cell_that_writes_it(submit, work):
    body = PROGRAM.stub.partition("\n")[2]
    folder = work / "submitted" / "anna" / "lesson-22"
    submit("anna/22.ipynb", cell(PROGRAM.stub, id="mw"), cell("%%writefile broken_07.py\nb = 2"))
    assert program().code == {"22-07": "%%writefile broken_07.py\nb = 2"}
    folder.mkdir()
    (folder / MARK).write_bytes(b"A workspace of mwtutor: %mw_workspace empties this folder.\n")
    (folder / "broken_07.py").write_text(body)
    assert program().code == {"22-07": "%%writefile broken_07.py\nb = 2"}
    (folder / "broken_07.py").write_text("c = 3\n")
    assert program().code == {"22-07": "%%writefile broken_07.py\nc = 3\n"}
    (work / "submitted" / "anna" / "broken_07.py").write_text("d = 4\n")
    found = program()
    assert found.code["22-07"].endswith("\nd = 4\n")
    (why,) = found.problems
    assert why.startswith("Both broken_07.py and broken_07.py contain exercise 22-07")
    (work / "submitted" / "anna" / "22.ipynb").unlink()
    (work / "submitted" / "anna" / "broken_07.py").write_bytes(b"\xff")
    assert program() == Submission(
        "anna",
        {"22-07": "%%writefile broken_07.py\nc = 3\n"},
        ("broken_07.py cannot be read: it is not text.",),
    )


def test_a_learner_without_a_notebook_is_not_forgotten(submit, work):
    submit("anna/03.ipynb", cell("a = 1", "exercise-03-1"))
    submit("eve/05.ipynb", cell("a = 1", "exercise-05-1"))
    (work / "submitted" / "ben").mkdir()
    (work / "submitted" / "ben" / "report.pdf").write_text("")
    (work / "submitted" / "cleo").symlink_to(work / "submitted" / "anna")
    (work / "submitted" / "dan").mkdir()
    os.mkfifo(work / "submitted" / "dan" / "03.ipynb")
    assert {name: one.problems for name, one in found().items()} == {
        "anna": (),
        "ben": ("The folder has no notebook.",),
        "cleo": ("cleo is a link, and was not read.",),
        "dan": ("03.ipynb is not a file, and was not read.",),
        "eve": (NO_CELL,),
    }

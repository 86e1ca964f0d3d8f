"""An exercise's folder: what happens to its files, and the errors about unusable ones."""

from __future__ import annotations

import ast
import os
from pathlib import Path

import pytest

from mwtutor import exercises as api
from mwtutor.exceptions import BadInput
from mwtutor.exercises.catalogue import Own, find
from mwtutor.exercises.exercise import Sabotage
from mwtutor.exercises.folders import Answer, read_answers
from mwtutor.singletons import singleton

LESSONS = Path(api.__file__).parent / "lessons"

FILES = {
    "task.md": "# mine-1 (hard): Squares: all\n\nWrite `square`.\n\n* Of\n  3, too.\n\n"
    "## Hint\n\nThink.\n\n## Hint\n\nMultiply.\n\n## Why\n\nA square is a product.\n",
    "stub.py": "# %%mw\nsquare = None\n",
    "solution.py": "# %%mw\ndef square(x):\n    return x * x  # %%mw\n",
    "check.py": "from mwtutor.exercises import right, wrong\n\nSESSION = ('square(3)',)\n"
    "SECONDS = 2\n\n\ndef check(work):\n    return right('It squares.')\n",
    "wrong/2_later.py": "# misconception: twice is squared\n# says: makes 6\n\n\n"
    "# %%mw\ndef square(x):\n    return 2 * x\n",
    "wrong/1_first.py": "# misconception: a power\n# says: makes 27: no\nsquare = None\n",
    "wrong/3_never.py": "# misconception: x\n# says: y\n# needs: tf>=99\nsquare = None\n",
}


@pytest.fixture
def folder(work: Path) -> Path:
    for name, text in FILES.items():
        path = work / "squares" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    return work / "squares"


def test_a_folder_is_an_exercise(folder):
    (one,) = api.load("squares")
    assert (one.id, one.title, one.hard) == ("mine-1", "Squares: all", True)
    assert one.task == "Write `square`.\n\n* Of\n  3, too."
    assert one.hints == ("Think.", "Multiply.")
    assert one.reasoning == "A square is a product."
    assert one.stub == "%%mw\nsquare = None"
    assert one.solution == "%%mw\ndef square(x):\n    return x * x  # %%mw"
    assert one.sabotages == (
        Sabotage("a power", "square = None", "makes 27: no"),
        Sabotage("twice is squared", "%%mw\ndef square(x):\n    return 2 * x", "makes 6"),
    )
    assert (one.session, one.seconds) == (("square(3)",), 2.0)
    assert find("mine-1") is one


def test_answers_stand_one_below_the_other(folder):
    assert read_answers(folder) == ()
    (folder / "answers.py").write_text(
        "\n# == right: a power\n# %%mw\ndef square(x):\n    return x**2\n\n\n"
        "# == wrong: twice: no\n# says: makes 6\nsquare = lambda x: 2 * x  # == wrong: no header\n"
        "# == right: of the future\n# needs: tf>=99\nsquare = None\n"
        "# == not yet: another name\ncube = 1\n# == not judged: no workers\nsquare = 1 / 0\n"
    )
    twice = "square = lambda x: 2 * x  # == wrong: no header"
    assert read_answers(folder) == (
        Answer("right", "a power", "%%mw\ndef square(x):\n    return x**2", "", 2),
        Answer("wrong", "twice: no", twice, "makes 6", 8),
        Answer("not yet", "another name", "cube = 1", "", 14),
        Answer("not judged", "no workers", "square = 1 / 0", "", 16),
    )


@pytest.mark.parametrize(
    ("text", "words"),
    [
        (b"", "has no answers, or has code outside an answer"),
        (b"import math\n# == right: a\nx = 1\n", "or has code outside an answer"),
        (b"# == right: a\nx = 1\n# == perhaps: b\nx = 2\n", "or has code outside an answer"),
        (b"# == right: a\nx = 1\n# == right:\nx = 2\n", "or has code outside an answer"),
        (b"# == right: a\nx = 1\n\n# == wrong: b\n# says: c\n", "line 4 is empty"),
        (b"# == right: a\n# - y = 5\n# + y = 4\n", "line 1: 'y = 5' does not occur exactly once"),
        (b"# == right: a\n# - y = 5\ny = 4\n", "line 1: its changes to the solution are mixed"),
        (b"# == right: a\n# needs: luck\nx = 1\n", "'luck', which is not a known requirement"),
        (b"\xff\xfe", "is not UTF-8 text"),
    ],
)
def test_answers_that_cannot_be_read_are_named(folder, text, words):
    (folder / "answers.py").write_bytes(text)
    with pytest.raises(BadInput) as error:
        read_answers(folder)
    assert "answers.py" in error.value.problem
    assert words in error.value.problem
    assert error.value.remedy


def test_an_answer_may_be_changes_of_the_solution(folder):
    (folder / "solution.py").write_text("# %%mw\na = 1\nb = 1\nc = 1\n    b = 1\n")
    text = "# == wrong: two\n# says: no\n\n# - a = 1\n# - b = 1\n# + a = 2\n# +\n# - c = 1\n"
    (folder / "answers.py").write_text(text + "# == right: one\nx = 1\n")
    first, second = read_answers(folder)
    assert (first.code, first.says) == ("%%mw\na = 2\n\n    b = 1", "no")
    assert second.code == "x = 1"


def test_a_folder_of_folders_is_a_lesson(folder, work):
    folder.rename(work / "lesson")
    (work / "course").mkdir()
    (work / "lesson").rename(work / "course" / "squares")
    (work / "course" / "notes").mkdir()
    assert [one.id for one in api.load("course")] == ["mine-1"]


@pytest.mark.parametrize(
    ("name", "text", "words"),
    [
        *((name, None, f"{name} does not exist") for name in list(FILES)[:4]),
        *((name, b"\xff\xfe", f"{name} is not UTF-8 text") for name in FILES),
        ("task.md", b"# Squares\n", "task.md does not begin with the exercise's number and title"),
        ("task.md", b"# mine-1: Squares\n\n## Why\n\nSo.\n", "task.md lacks the task"),
        ("task.md", b"# mine-1: Squares\n\nDo it.\n", "task.md lacks the task"),
        ("task.md", b"# mine-1: S\n\nDo it.\n\n## Hint\n## Why\n\nSo.\n", "the text of a hint"),
        ("stub.py", b"\n", "stub.py is empty"),
        ("wrong/1_first.py", b"square = None\n", "does not begin with its misconception"),
        ("wrong/1_first.py", b"# misconception: a\n# says: b\n", "1_first.py is empty"),
        ("wrong/1_first.py", b"# misconception: a\n# says: b\n# needs: luck\nx\n", "'luck'"),
        ("check.py", b"x = ", "check.py cannot be executed: SyntaxError"),
        ("check.py", b"x = 1\n", "check.py has no function check"),
        ("check.py", b"SESSION = 'loss'\ndef check(work): ...\n", "SESSION in"),
        ("check.py", b"SECONDS = -1\ndef check(work): ...\n", "SECONDS in"),
        ("check.py", b"LAUNCH = 2\ndef check(work): ...\n", "LAUNCH in"),
    ],
)
def test_a_part_that_cannot_be_used_is_named(folder, name, text, words):
    if text is None:
        (folder / name).unlink()
    else:
        (folder / name).write_bytes(text)
    with pytest.raises(BadInput) as error:
        api.load("squares")
    assert words in error.value.problem
    assert error.value.remedy
    assert singleton(Own) == {}


@pytest.mark.parametrize("name", [*FILES, "wrong"])
def test_a_part_that_is_something_else_is_named(folder, name):
    os.rename(folder / name, folder / "elsewhere")
    if name == "wrong":
        (folder / name).write_text("")
    else:
        (folder / name).mkdir()
    with pytest.raises(BadInput, match=name):
        api.load("squares")


def test_a_folder_without_exercises_is_told_why(work):
    (work / "empty").mkdir()
    with pytest.raises(BadInput, match="empty has no exercises"):
        api.load("empty")


def test_the_lessons_folders_are_named_after_their_exercises():
    for task in LESSONS.glob("*/*/task.md"):
        *_, lesson, exercise, _ = task.parts
        number = "-".join(name.rpartition("_")[2] for name in (lesson, exercise))
        assert task.read_text().startswith((f"# {number}: ", f"# {number} (hard): ")), task


def test_checks_import_only_from_below():
    """``lint-imports`` does not look into folders that are not packages."""
    above = {"cli", "magics", "pytest_plugin", "commands", "scaling", "display", "diagnosis"}
    for path in LESSONS.rglob("check.py"):
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom) and (node.module or "").startswith("mwtutor."):
                assert node.module.split(".")[1] not in above, path

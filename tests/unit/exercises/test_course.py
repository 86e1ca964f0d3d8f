"""The course, copied out for a learner."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from mwtutor.cli import main
from mwtutor.exceptions import BadInput
from mwtutor.exercises.course import copy_lessons
from mwtutor.exercises.course_files import files

ROOT = Path(__file__).parents[3]


def text_of(path: Path) -> str:
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = json.loads(path.read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_what_is_copied_is_whole_and_its_links_lead_to_each_other(work, capsys):
    assert main(["lessons", "new/course"]) == 0
    course = work / "new" / "course"
    assert f"lessons are in {course}/notebooks" in capsys.readouterr().out
    assert files(course) == files(ROOT)
    assert all((course / path).read_bytes() == (ROOT / path).read_bytes() for path in files(ROOT))
    for page in [*course.rglob("*.md"), *course.rglob("*.ipynb")]:
        for link in re.findall(r"\]\((?!https?:|#|attachment:)([^)#\s]+)", text_of(page)):
            assert (page.parent / link).exists(), (page, link)


def test_an_empty_directory_is_filled_and_no_other(work):
    (work / "empty").mkdir()
    notebooks = copy_lessons("empty")
    assert [path.name for path in notebooks] == [
        path.name for path in sorted((ROOT / "notebooks").glob("*.ipynb"))
    ]
    (work / "empty" / "notebooks" / notebooks[0].name).write_text("a learner's own work")
    with pytest.raises(BadInput, match=r"empty is not empty\.\nName a new directory\."):
        copy_lessons(work / "empty")
    assert notebooks[0].read_text() == "a learner's own work"
    with pytest.raises(BadInput, match="is a file"):
        copy_lessons(notebooks[0])


def test_what_cannot_be_copied_leaves_nothing(work, monkeypatch):
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("mwtutor.exercises.course.shutil.copyfile", full)
    with pytest.raises(BadInput, match="course cannot be written: No space left on device"):
        copy_lessons("course")
    assert not any((work / "course").iterdir())


def test_home_is_where_it_always_is(work, monkeypatch):
    monkeypatch.setenv("HOME", str(work / "home"))
    assert copy_lessons("~/course")[0].parent == work / "home" / "course" / "notebooks"

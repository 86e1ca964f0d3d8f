"""The course, copied for a learner."""

from __future__ import annotations

import importlib
import json
import os
import re
import shlex
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mwtutor.cli import main
from mwtutor.exceptions import BadInput
from mwtutor.exercises.course import copy_lessons
from mwtutor.exercises.course_files import files
from tests.support.machines.disks import small_disk

ROOT = Path(__file__).parents[3]


def text_of(path: Path) -> str:
    if path.suffix != ".ipynb":
        return path.read_text()
    cells = json.loads(path.read_text())["cells"]
    return "\n".join("".join(cell["source"]) for cell in cells if cell["cell_type"] == "markdown")


def test_what_is_copied_is_whole_and_its_links_lead_to_each_other(work, capsys):
    assert main(["lessons", "new/course"]) == 0
    course = work / "new" / "course"
    assert f"notebooks are in {course}/notebooks" in capsys.readouterr().out
    assert files(course) == files(ROOT)
    assert all((course / path).read_bytes() == (ROOT / path).read_bytes() for path in files(ROOT))
    for page in [*course.rglob("*.md"), *course.rglob("*.ipynb")]:
        for link in re.findall(r"\]\((?!https?:|#|attachment:)([^)#\s]+)", text_of(page)):
            assert (page.parent / link).exists(), (page, link)


@pytest.mark.parametrize("there", [True, False])
def test_what_opens_the_course_can_be_typed_with_jupyterlab_or_without(
    work, capsys, monkeypatch, there
):
    monkeypatch.setitem(
        sys.modules, "jupyterlab", importlib.import_module("json") if there else None
    )
    assert main(["lessons", "new"]) == 0
    opened = capsys.readouterr().out.strip().partition("Open them in JupyterLab: ")[2]
    installed = "" if there else "pip install jupyterlab && "
    assert opened == f"{installed}jupyter lab {work}/new/notebooks"


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


def test_a_full_disk_is_named_and_nothing_is_left(work):
    with small_disk(work / "disk", 20) as disk:
        with pytest.raises(BadInput) as error:
            copy_lessons("disk/course")
        assert f"disk/course cannot be written: the disk mounted at {disk} is full." in str(
            error.value
        )
        assert not any((disk / "course").iterdir())


KILLED = """
import os, sys, pathlib
from mwtutor.exercises.course import copy_lessons
left = int(sys.argv[1])
def counted(done):
    def do(*args, **options):
        global left
        left -= 1
        if left < 0:
            os.kill(os.getpid(), 9)
        return done(*args, **options)
    return do
pathlib.Path.write_bytes = counted(pathlib.Path.write_bytes)
pathlib.Path.rename = counted(pathlib.Path.rename)
copy_lessons("course")
"""


@pytest.mark.parametrize("after", ["first file", "last file", "first move", "last move"])
def test_what_a_killed_copy_left_is_replaced(work, after):
    moves = len({path.parts[0] for path in files(ROOT)})
    steps = {
        "first file": 1,
        "last file": len(files(ROOT)),
        "first move": len(files(ROOT)) + 1,
        "last move": len(files(ROOT)) + moves - 1,
    }
    done = subprocess.run([sys.executable, "-c", KILLED, str(steps[after])], timeout=60)
    assert done.returncode == -signal.SIGKILL
    left = sorted(path.name for path in (work / "course").iterdir())
    assert any(name.startswith(".mwtutor-") for name in left)
    assert len(left) == (1 if "file" in after else 2 if "first" in after else moves)
    copy_lessons("course")
    assert files(work / "course") == files(ROOT)
    assert not list((work / "course").glob(".mwtutor-*"))


def test_what_somebody_changed_after_a_killed_copy_is_kept(work):
    subprocess.run([sys.executable, "-c", KILLED, str(len(files(ROOT)) + 3)], timeout=60)
    mine = next(
        path
        for path in (work / "course").rglob("*")
        if path.is_file() and not path.relative_to(work / "course").parts[0].startswith(".mwtutor-")
    )
    mine.write_text("a learner's own work")
    with pytest.raises(BadInput, match="course is not empty"):
        copy_lessons("course")
    assert mine.read_text() == "a learner's own work"


def test_names_that_are_no_directory(work):
    (work / "dangling").symlink_to("nowhere")
    (work / "file").write_text("")
    for name, said in {
        "": "The name of the directory is empty.\nWrite mwtutor-course, for example.",
        "dangling": "dangling is a link to nowhere, which does not exist.\n"
        "Name a new directory, or remove the link.",
        "file": "file is a file.\nName a new directory.",
    }.items():
        with pytest.raises(BadInput) as error:
            copy_lessons(name)
        assert str(error.value) == said
    assert sorted(os.listdir(work)) == ["dangling", "file"]


def test_the_command_that_is_printed_can_be_typed(work, capsys):
    assert main(["lessons", "it's here"]) == 0
    words = shlex.split(capsys.readouterr().out.partition("jupyter lab ")[2])
    assert words == [str(work / "it's here" / "notebooks")]


def test_home_is_where_it_always_is(work, monkeypatch):
    monkeypatch.setenv("HOME", str(work / "home"))
    assert copy_lessons("~/course")[0].parent == work / "home" / "course" / "notebooks"

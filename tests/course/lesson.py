"""The lessons, as the tests of the course see them."""

from __future__ import annotations

import functools
import importlib
import importlib.util
import json
import re
from dataclasses import dataclass
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from mwtutor.devices.requirements import unmet
from mwtutor.exercises import Exercise
from mwtutor.exercises.catalogue import all_lessons, folders_in
from mwtutor.exercises.folders import read_folder
from tests.course.sabotage import CheckSabotage

ROOT = Path(__file__).parents[2]

#: The tag of a cell whose output is compared, and that of all others.
CHECKED, IGNORED = "nbval-check-output", "nbval-ignore-output"

_PREDICT = re.compile(r"%mw_predict (\S+) ")

#: The sentence in a lesson's first cell that lists sections for readers with a quarter of an hour.
_SHORT = re.compile(r"\*\*Short path:\*\* sections? ([\d, andto]+)\.")
_SECTION = re.compile(r"^## (?:(\d+)\.)?", re.MULTILINE)


@dataclass(frozen=True)
class Cell:
    """A code cell: its source, tags, and its output in the repository."""

    id: str
    source: str
    tags: tuple[str, ...]
    stored: str

    @property
    def is_check(self) -> bool:
        """Whether it is a check cell outside exercises."""
        return CHECKED in self.tags and not any(tag.startswith("check-") for tag in self.tags)

    @property
    def of_exercise(self) -> bool:
        return any(re.match(r"(?:exercise|run|check)-", tag) for tag in self.tags)

    @property
    def lacks(self) -> str:
        """The requirements of the cell that are missing here; empty if it can run."""
        return "; ".join(filter(None, map(unmet, self.tags)))


@dataclass(frozen=True)
class Lesson:
    """One lesson.

    Attributes:
        number: the beginning of its notebook's name: 07, or 07b for the second notebook of lesson
            07.
        path: its notebook.
        exercises: those with cells in the notebook.
        clusters: exercises that are whole programs, to be opened with ``%mw_open``.
        folders: the folders next to the notebook, copied with it.
        taken: the ids of the predictions in the lesson's other notebooks.
    """

    number: str
    path: Path
    exercises: tuple[Exercise, ...]
    sabotages: tuple[CheckSabotage, ...]
    folders: tuple[Path, ...] = ()
    clusters: tuple[Exercise, ...] = ()
    taken: frozenset[str] = frozenset()

    @property
    def series(self) -> str:
        """The number in the ids of its exercises and predictions, which its notebooks share."""
        return series_of(self.number)

    @functools.cached_property
    def notebook(self) -> dict[str, Any]:
        return json.loads(self.path.read_text())

    @functools.cached_property
    def cells(self) -> tuple[Cell, ...]:
        return tuple(map(_cell, filter(_is_code, self.notebook["cells"])))

    @property
    def text(self) -> str:
        return "\n\n".join(
            "".join(cell["source"]) for cell in self.notebook["cells"] if not _is_code(cell)
        )

    @property
    def wordless(self) -> set[str]:
        """The cells that show a bitmap and print nothing."""
        found = set()
        for cell in filter(_is_code, self.notebook["cells"]):
            drawn = any("image/png" in output.get("data", {}) for output in cell["outputs"])
            if drawn and not any(output.get("name") == "stdout" for output in cell["outputs"]):
                found.add(cell["id"])
        return found

    @property
    def short(self) -> tuple[Cell, ...]:
        """The short path: cells before section 1 and in the listed sections, without exercises."""
        first = " ".join("".join(self.notebook["cells"][0]["source"]).split())
        named = _numbers(found[1]) if (found := _SHORT.search(first)) else set()
        section, short = "0", []
        for cell in self.notebook["cells"]:
            if not _is_code(cell):
                section = (_SECTION.findall("".join(cell["source"])) or [section])[-1]
            elif section in {"0", *named} and not _cell(cell).of_exercise:
                short.append(_cell(cell))
        return tuple(short) if named else ()

    def tagged(self, tag: str) -> tuple[Cell, ...]:
        return tuple(cell for cell in self.cells if tag in cell.tags)

    def cell(self, name: str) -> Cell:
        """The cell with that id."""
        return next(cell for cell in self.cells if cell.id == name)


def _is_code(cell: dict[str, Any]) -> bool:
    return cell["cell_type"] == "code"


def _cell(cell: dict[str, Any]) -> Cell:
    shown = ""
    for output in cell["outputs"]:
        if output["output_type"] == "stream":
            shown += "".join(output["text"]) * (output["name"] == "stdout")
        elif "data" in output:
            shown += "".join(output["data"].get("text/plain", "")) + "\n"
    tags = tuple(cell["metadata"].get("tags", []))
    return Cell(cell["id"], "".join(cell["source"]), tags, shown.strip())


def _numbers(words: str) -> set[str]:
    """The numbers in ``1, 2 and 5`` or ``1 to 3``."""
    first, _, last = words.partition(" to ")
    if last:
        return {str(number) for number in range(int(first), int(last) + 1)}
    return set(re.findall(r"\d+", words))


def _sabotages(number: str) -> tuple[CheckSabotage, ...]:
    module = f"tests.course.lesson_{number}"
    if importlib.util.find_spec(module) is None:
        return ()
    return importlib.import_module(module).CHECK_SABOTAGES


def series_of(number: str) -> str:
    return re.sub(r"(?<=\d)[a-z]$", "", number)


def _lesson(path: Path) -> Lesson:
    number = path.name.partition("_")[0]
    series = series_of(number)
    found = all_lessons().get(series, ())
    tagged = re.findall(r'"exercise-([^"]+)"', path.read_text())
    cells = tuple(one for one in found if one.id in tagged)
    programs = tuple(one for one in found if one.launch)
    others = [other for other in path.parent.glob(f"{series}*.ipynb") if other != path]
    taken = [one for other in others for one in _PREDICT.findall(other.read_text())]
    return Lesson(number, path, cells, _sabotages(number), (), programs, frozenset(taken))


#: The lessons, one for each notebook.
LESSONS = tuple(map(_lesson, sorted((ROOT / "notebooks").glob("*.ipynb"))))


def sample() -> Lesson:
    """A small lesson, the example for course authors, which serves to test these tests."""
    from tests.course.sample import check_sabotages

    here = Path(__file__).parent / "sample"
    folders = folders_in(here / "exercises")
    return Lesson(
        "sample",
        here / "sample_shares.ipynb",
        tuple(read_folder(one, _imported) for one in folders),
        check_sabotages.CHECK_SABOTAGES,
        (here / "exercises",),
    )


def _imported(check: Path) -> ModuleType:
    return importlib.import_module(".".join(check.relative_to(ROOT).with_suffix("").parts))


#: The lessons that ``make test`` executes: messages, Keras and launches, the strategy's own API,
#: its scope.
ALWAYS = ("00", "04", "07", "07b")


def parameters(elsewhere: pytest.MarkDecorator = pytest.mark.full) -> list[Any]:
    """Every lesson, for a test that executes it.

    Args:
        elsewhere: marks the lessons that ``make test`` leaves out.
    """
    return [
        pytest.param(lesson, id=lesson.number, marks=() if lesson.number in ALWAYS else elsewhere)
        for lesson in LESSONS
    ]


def numbers(lesson: Lesson) -> str:
    """The lesson's id in pytest."""
    return lesson.number


def exercise_of(name: str) -> str:
    """The number in a tag such as ``check-03-2``."""
    return re.sub(r"^(?:exercise|run|check)-", "", name)

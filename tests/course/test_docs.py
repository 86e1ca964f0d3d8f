"""The pages of the course name only what exists."""

from __future__ import annotations

import re

import pytest

from tests.course.lesson import LESSONS, ROOT

DOCS = ROOT / "docs"
TEMPLATE = ROOT / "mwtutor" / "exercises" / "template"

#: Rows of the table: the item's id, state, lesson, cells.
_ROW = re.compile(r"^\| ([EKBOACF]\d+) \| (.*) \| ([DPRX]) \| (\w*) \| (.*) \| (.*) \|$", re.M)
ROWS = _ROW.findall((DOCS / "coverage.md").read_text())

#: The number of items of each document, and of further items (F).
ITEMS = {"E": 18, "K": 46, "B": 12, "O": 22, "A": 34, "C": 5, "F": 60}


def test_every_item_has_a_row():
    wanted = [f"{kind}{number + 1}" for kind, count in ITEMS.items() for number in range(count)]
    assert [row[0] for row in ROWS] == wanted


def test_the_sum_is_right():
    count = [sum(row[2] == state for row in ROWS) for state in "DPRX"]
    said = "Of {} items {} are done, {} partly, {} only read and {} missing."
    assert said.format(len(ROWS), *count) in (DOCS / "coverage.md").read_text()


@pytest.mark.parametrize("row", ROWS, ids=lambda row: row[0])
def test_a_row_names_cells_that_there_are(row):
    cells = {(lesson.number, cell.id) for lesson in LESSONS for cell in lesson.cells}
    _, _, state, _, where, _ = row
    named = {
        (part.partition(":")[0], cell)
        for part in where.split("; ")
        for cell in re.findall("`([^`]+)`", part)
    }
    assert named <= cells
    assert named or where == "all" or state not in "DP", "what is done names the cell that does it"


def test_the_glossary_has_each_anchor_once():
    anchors = re.findall(r'<a id="([^"]+)">', (DOCS / "glossary.md").read_text())
    assert len(set(anchors)) == len(anchors) > 30


PAGES = [*sorted(DOCS.rglob("*.md")), *sorted(ROOT.glob("*.md"))]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: str(page.relative_to(ROOT)))
def test_links_lead_somewhere(page):
    for link in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
        assert (page.parent / link).exists(), link


def test_course_authors_read_the_example_that_is_tested():
    """``tests/e2e/test_exercise_command.py`` tests that example."""
    page = (DOCS / "course-authors.md").read_text()
    files = [path for path in TEMPLATE.rglob("*") if path.suffix in (".md", ".py")]
    assert len(files) == 7
    for file in files:
        shown = "markdown" if file.suffix == ".md" else "python"
        name = file.relative_to(TEMPLATE).as_posix()
        assert f"`{name}`:\n\n```{shown}\n{file.read_text()}```\n" in page, name

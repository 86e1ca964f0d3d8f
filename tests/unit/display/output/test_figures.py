"""The figures of several workers: in tabs if they differ, in a notebook."""

from __future__ import annotations

import base64
import re

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.output.cells import CellDisplay
from mwtutor.display.output.figures import in_tabs, is_figure
from mwtutor.sessions.result import Output
from mwtutor.style_sheet import SHEET
from tests.unit.display.output.test_by_task import Book
from tests.unit.display.output.test_merge import Paper
from tests.unit.display.test_hostile_output import ATTRIBUTES, HOSTILE, OURS, _Tags

W0, W1, W2 = (TaskId("worker", index) for index in range(3))


def figure(name: str, kind: str = "image/png", **metadata: object) -> Output:
    data = {"text/plain": f"<Figure {name}>", kind: name}
    return Output("display", data=data, metadata={kind: metadata})


def shown(screen: Paper, *figures: tuple[TaskId, Output]) -> list[str]:
    tasks = sorted({task for task, _ in figures})
    display = CellDisplay(tasks, screen, color=False)
    for task, output in figures:
        display.output(task, output)
    for task in tasks:
        display.ended(task)
    return screen.shown


def test_figures_that_differ_are_in_tabs_under_the_names_of_their_workers():
    book = Book()
    shown(book, (W0, figure("QQ==")), (W1, figure("Qg==")), (W2, figure("QQ==")))
    assert book.shown == []
    [(kind, key, page, text)] = book.outputs
    assert (kind, key) == ("display", "")
    assert text == "worker:0, worker:2 | <Figure QQ==>\nworker:1 | <Figure Qg==>"
    assert page.count("<details") == page.count(' name="') == 2
    assert page.count("<details open") + page.count('" open>') == 1
    assert page.index("<b>worker:0, worker:2</b>") < page.index("base64,QQ==")
    assert page.index("base64,QQ==") < page.index("<b>worker:1</b>") < page.index("base64,Qg==")


def test_equal_figures_and_those_of_a_terminal_stay_as_they_are():
    both = ["all 2 workers |\n", "<display ['image/png', 'text/plain'] >"]
    one = "<display ['image/png', 'text/plain'] >"
    pair = (W0, figure("QQ==")), (W1, figure("QQ=="))
    assert shown(Paper(), *pair) == both
    apart = (W0, figure("QQ==")), (W1, figure("Qg=="))
    assert shown(Paper(), *apart) == ["     worker:0 |\n", one, "     worker:1 |\n", one]


def test_the_second_figures_of_all_are_in_tabs_of_their_own():
    book = Book()
    names = ("QQ==", "Qg=="), ("Qw==", "RA==")
    shown(book, *((task, figure(two[at])) for two in names for at, task in enumerate((W0, W1))))
    assert [text.count("Figure") for *_, text in book.outputs] == [2, 2]
    groups = {page.split(' name="')[1][:32] for _, _, page, _ in book.outputs}
    assert len(groups) == 2, "a click in one must not close another"


@pytest.mark.parametrize(
    "output",
    [
        Output("display", data={"text/html": "x"}),
        Output("display", data={"image/png": "QQ==", "text/html": "x"}),
        Output("display", data={"image/png": "QQ=="}, display_id="1"),
        Output("update", data={"image/png": "QQ=="}),
        Output("display", data={"text/plain": "x"}),
        Output("display", data={}),
        Output("clear"),
        None,
    ],
)
def test_what_is_not_only_an_image_is_not_in_a_tab(output):
    assert not is_figure(output)


def test_a_figure_keeps_its_size_and_cannot_act():
    hostile = figure(HOSTILE, "image/svg+xml", width=30, height=HOSTILE)
    told = in_tabs([(HOSTILE, hostile), ("worker:1", figure(f'"{HOSTILE}', width=3, height=4))])
    page = told.data["text/html"]
    tags = _Tags()
    tags.feed(re.sub("<img ([^>]*)>", r"<i \1></i>", page.replace(SHEET, "")))
    image = {f"i {name}" for name in ("src", "alt", "width", "height")}
    assert tags.seen - OURS - ATTRIBUTES == image
    assert ' width="30">' in page
    assert ' width="3" height="4">' in page
    assert base64.b64encode(HOSTILE.encode(errors="replace")).decode() in page

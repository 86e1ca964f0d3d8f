"""Output that differs a lot between workers: folded by worker, in a notebook."""

from __future__ import annotations

from mwtutor.cluster import TaskId
from mwtutor.display.output.by_task import APART, KEPT
from mwtutor.display.output.cells import CellDisplay
from mwtutor.sessions.result import Output
from tests.unit.display.output.test_merge import Paper
from tests.unit.display.test_hostile_output import HOSTILE, assert_only_our_tags

W0, W1 = (TaskId("worker", index) for index in range(2))


class Book(Paper):
    """A notebook's cell."""

    folds = True

    def __init__(self) -> None:
        super().__init__()
        self.outputs: list[tuple[str, str, str, str]] = []

    def display(self, output: Output, key: str) -> None:
        data = output.data
        self.outputs.append((output.kind, key, data["text/html"], data["text/plain"]))


def printed(display: CellDisplay, lines: int, text: str = "line") -> None:
    for number in range(lines):
        for task in (W0, W1):
            display.output(task, Output("stdout", f"{task.index} {text} {number}\n"))
        display.tick()


def test_lines_that_differ_are_side_by_side_until_they_are_many():
    book = Book()
    display = CellDisplay([W0, W1], book, color=False)
    printed(display, APART // 2)
    assert len(book.shown) == APART
    assert not book.outputs
    printed(display, 10, "more")
    for task in (W0, W1):
        display.output(task, Output("stdout", "of all\n"))
    display.tick()
    assert book.shown[APART:] == ["all 2 workers | of all\n"], "what is equal stays where it was"
    for task in (W0, W1):
        display.ended(task)
    assert [kind for kind, *_ in book.outputs] == ["display", "update"]
    assert len({key for _, key, *_ in book.outputs}) == 1
    assert ['class="mw-tabs"' in page for _, _, page, _ in book.outputs] == [False, True], (
        "an update would show the first tab again"
    )
    _, _, page, text = book.outputs[-1]
    assert "<b>worker:0</b> 10 more lines<" in page
    assert "1 more 0\n1 more 1\n" in page
    assert text.splitlines()[9:11] == ["worker:0 | 0 more 9", "worker:1 | 1 more 0"]


def test_another_cell_has_folds_of_its_own():
    keys = set()
    for _ in range(2):
        book = Book()
        printed(CellDisplay([W0, W1], book, color=False), APART)
        keys |= {key for _, key, *_ in book.outputs}
    assert len(keys) == 2


def test_what_one_printed_alone_is_kept_up_to_a_bound_and_cannot_act():
    book = Book()
    display = CellDisplay([W0, W1], book, color=False)
    display.output(W0, Output("stdout", f"{HOSTILE}\n" * (APART + KEPT + 5)))
    for task in (W0, W1):
        display.ended(task)
    page = book.outputs[-1][2]
    assert_only_our_tags(page)
    assert "%mw_logs worker:0 -n 0 shows all lines" in page
    assert "worker:1" not in page


def test_a_terminal_cannot_unfold():
    paper = Paper()
    display = CellDisplay([W0, W1], paper, color=False)
    printed(display, APART)
    assert len(paper.shown) == 2 * APART


def test_what_one_prints_earlier_than_the_others_is_not_folded_away(monkeypatch):
    """A busy machine may run one worker for longer than a line waits."""
    now = [0.0]
    monkeypatch.setattr("mwtutor.display.output.cells.time.monotonic", lambda: now[0])
    book = Book()
    display = CellDisplay([W0, W1], book, color=False)
    told = {W0: 0, W1: 0}

    def prints(task, until):
        for number in range(told[task], until):
            display.output(task, Output("stdout", f"line {number}\n"))
        told[task] = until

    for first, second in ((100, 60), (700, 300), (701, 650), (900, 900)):
        prints(W0, first)
        prints(W1, second)
        for _ in range(3):
            display.tick()
            now[0] += 0.4
    for task in (W0, W1):
        display.ended(task)
    assert not book.outputs, "nothing is folded away"
    for task in (W0, W1):
        mine = [line for line in book.shown if f"{task}" in line or "all" in line]
        assert [int(line.split()[-1]) for line in mine] == list(range(900))
    assert book.shown[-1] == "all 2 workers | line 899\n"


def test_what_differs_later_is_folded_again():
    book = Book()
    display = CellDisplay([W0, W1], book, color=False)
    for task in (W0, W1):
        display.output(task, Output("stdout", "the same\n"))
    display.tick()
    printed(display, APART + 5)
    for task in (W0, W1):
        display.ended(task)
    assert "more lines<" in book.outputs[-1][2]

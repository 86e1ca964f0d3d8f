"""Lines of several workers as one stream: folded, ordered, live."""

from __future__ import annotations

import time

from mwtutor.cluster import TaskId
from mwtutor.display.output.cells import LONG, CellDisplay
from mwtutor.display.output.merge import HOLD, SHOWN, Item, Lines, Merger
from mwtutor.sanitize import LONGEST
from mwtutor.sessions.result import ANSI, Output

W0, W1, W2 = (TaskId("worker", index) for index in range(3))


def merger(*lines: tuple[TaskId, str]) -> Merger:
    made = Merger([W0, W1, W2])
    for task, text in lines:
        made.add(task, Item("stdout", text), now=0.0)
    return made


def rows(made: Merger, now: float = 0.0) -> list[tuple[tuple[TaskId, ...], str]]:
    return [(tasks, item.text) for tasks, item in made.rows(now)]


def test_what_all_print_is_one_row_and_what_differs_keeps_the_order_of_tasks():
    made = merger((W2, "a"), (W0, "a"), (W1, "a"), (W2, "2"), (W1, "1"), (W0, "0"))
    assert rows(made) == [((W0, W1, W2), "a"), ((W0,), "0"), ((W1,), "1"), ((W2,), "2")]


def test_a_line_of_one_worker_does_not_part_what_follows():
    made = merger((W0, "saving"), (W0, "epoch"), (W1, "epoch"), (W2, "epoch"))
    assert rows(made) == [((W0,), "saving"), ((W0, W1, W2), "epoch")]


def test_lines_that_cross_are_all_shown():
    made = merger((W0, "a"), (W0, "b"), (W1, "b"), (W1, "a"), (W2, "c"))
    for task in (W0, W1, W2):
        made.end(task)
    shown = rows(made)
    assert sorted(text for tasks, text in shown for _ in tasks) == ["a", "a", "b", "b", "c"]


def test_a_line_waits_for_the_others_and_not_for_long():
    made = merger((W0, "a"), (W1, "a"))
    assert rows(made, HOLD / 2) == []
    assert rows(made, HOLD * 1.1) == [((W0, W1), "a")]


def test_workers_that_have_ended_are_not_waited_for():
    made = merger((W0, "a"))
    made.end(W1)
    made.end(W2)
    assert rows(made) == [((W0,), "a")]


def test_output_without_end_is_cut_and_says_so():
    made = Merger([W0])
    for _ in range(20):
        made.add(W0, Item("stdout", "x" * (SHOWN // 10)), now=0.0)
    shown = rows(made)
    assert len(shown) == 10
    assert "%mw_logs" in shown[-1][1]


def test_displays_count_toward_what_is_shown_of_a_worker():
    made = Merger([W0], room=100)
    for _ in range(3):
        made.add(W0, Item("", "", Output("display", data={"text/html": "x" * 60})), now=0.0)
    assert [item.output is None for _, item in made.rows(0.0)] == [False, True]


def test_lines_are_cut_where_they_end_and_redrawn_parts_are_overwritten():
    lines = Lines()
    assert list(lines.feed("a")) == []
    assert list(lines.feed("b\nc\n\nd")) == ["ab", "c", ""]
    assert lines.partial == "d"
    assert list(lines.feed("\r10%\b\b\b20%\n")) == ["20%"]
    assert list(lines.feed("dos\r\n")) == ["dos"]
    list(lines.feed("rest"))
    assert (lines.take_partial(), lines.partial) == ("rest", "")


class Paper:
    """A screen that keeps everything, and counts lines as a terminal does."""

    folds = False

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.written_to: set[str] = set()

    def length(self, text: str) -> int:
        return len(ANSI.sub("", text))

    def write(self, stream: str, text: str) -> None:
        lines = text.removesuffix("\n").split("\n")
        self.shown += [f"{line}\n" for line in lines] if text.endswith("\n") else [text]
        self.written_to.add(stream)

    def display(self, output: Output, key: str) -> None:
        self.shown.append(f"<{output.kind} {sorted(output.data)} {key}>")

    def clear(self, *, wait: bool) -> None:
        self.shown.append(f"<clear {wait}>")


def test_a_cell_shows_labels_displays_results_and_unfinished_lines():
    paper = Paper()
    display = CellDisplay([W0, W1], paper, color=False)
    png = Output("display", data={"text/plain": "<Figure>", "image/png": "aGk="})
    for task in (W0, W1):
        display.output(task, Output("stdout", "hello\nno end"))
        display.output(task, png)
        display.output(task, Output("display", data={"text/plain": str(task)}))
        display.output(task, Output("display", data={"text/html": "x"}, display_id="bar"))
        display.output(task, Output("update", data={"text/html": "y"}, display_id="bar"))
        display.ended(task)
    assert "".join(paper.shown) == (
        "all 2 workers | hello\n"
        "all 2 workers | no end\n"
        "all 2 workers |\n<display ['image/png', 'text/plain'] >"
        "     worker:0 | worker:0\n"
        "     worker:1 | worker:1\n"
        "all 2 workers |\n<display ['text/html'] worker:0-bar>"
        "<update ['text/html'] worker:0-bar>"
    )


def test_progress_is_redrawn_on_one_line_and_erased_for_the_next():
    paper = Paper()
    display = CellDisplay([W0, W1], paper, color=False)
    for task in (W0, W1):
        display.output(task, Output("stderr", "1/2"))
    display.tick()
    assert paper.shown == ["\r     worker:0 | 1/2"]
    for task in (W0, W1):
        display.output(task, Output("stderr", "\r2/2\n"))
        display.ended(task)
    erased = "\r" + " " * len("     worker:0 | 1/2") + "\r"
    assert paper.shown[1:] == [erased, "all 2 workers | 2/2\n"]
    assert paper.written_to == {"stderr"}, "another stream would be an empty line in a notebook"


def test_colors_end_with_their_line_and_a_long_line_leaves_room_for_the_next():
    lines = Lines()
    assert list(lines.feed("\x1b[31mred\nblue\x1b[34m!\x1b[m\n")) == [
        "\x1b[31mred\x1b[0m",
        "blue\x1b[34m!\x1b[m",
    ]
    (line,) = lines.feed("a" + "x" * 10_000_000 + "b\n")
    assert (len(line), line[0], line[-1]) == (LONGEST + 3, "a", "b")


def test_no_progress_is_drawn_of_what_is_too_much_to_show():
    paper = Paper()
    display = CellDisplay([W0], paper, color=False)
    display.output(W0, Output("stdout", "line\n" * (SHOWN // 4) + "more"))
    display.tick()
    display.ended(W0)
    assert paper.shown[-1].startswith("worker:0 | … too much output to show here")


def test_who_still_executes_a_cell_for_long_is_named_once(monkeypatch):
    paper, now = Paper(), [100.0]
    monkeypatch.setattr(time, "monotonic", lambda: now[0])
    display = CellDisplay([W0, W1], paper, color=False)
    now[0] += LONG + 1
    display.tick()
    assert "Waiting" not in str(paper.shown), "nobody has ended it"
    display.ended(W0)
    display.tick()
    assert "Waiting" not in str(paper.shown), "worker:1 may end it at once"
    now[0] += 3
    display.tick()
    display.tick()
    told = (
        "Waiting for worker:1: worker:0 has finished the cell."
        " In a terminal: mwtutor stacks worker:1"
    )
    assert str(paper.shown).count(told) == 1


def test_a_session_without_workers_has_a_display():
    """The code that executes the cell reports that the workers have ended."""
    assert list(CellDisplay([], Paper())._merger.rows(0.0)) == []

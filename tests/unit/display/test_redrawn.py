"""Progress bars of a cell: redrawn, in color, and inert."""

from __future__ import annotations

import re

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.output.cells import CellDisplay
from mwtutor.display.output.merge import Item, Lines, Merger
from mwtutor.display.words import columns, cut, lined_up
from mwtutor.sanitize import LONGEST, redrawn
from mwtutor.sessions.result import ANSI, Output
from tests.unit.display.output.test_merge import Paper

W0 = TaskId("worker", 0)


def test_a_bar_keeps_the_colors_of_what_was_drawn_last():
    assert redrawn("\x1b[31m10%\x1b[0m\r\x1b[32m100\x1b[0m% \x1b[1mdone") == (
        "\x1b[32m100\x1b[0m% \x1b[1mdone\x1b[0m"
    )
    # How Keras 3 draws its own bars: backspaces, then the whole line again.
    assert redrawn("\x1b[1m1/2\x1b[0m" + "\b" * 3 + "\r\x1b[1m2/2\x1b[0m ok") == (
        "\x1b[1m2/2\x1b[0m ok"
    )
    assert redrawn("abc\rx") == "xbc"
    assert redrawn("long\r\x1b[Kx") == redrawn("long\x1b[2K\rx") == "x"


def test_nothing_in_a_bar_acts():
    assert redrawn("a\r\x1b]0;title\x07b\x1b[2J\u202e") == "b\\u202e"
    assert redrawn("a\rb\x1b[31") == "b[31"
    many = redrawn("\r" + "\x1b[1m" * 10_000 + "x")
    assert len(many) < 200, "colors without end are not kept"
    assert len(redrawn("\r" + "x" * 10 * LONGEST)) < 2 * LONGEST


def test_a_bar_in_color_is_erased_whole_and_a_long_one_is_cut():
    paper = Paper()
    display = CellDisplay([W0], paper, color=False)
    display.output(W0, Output("stdout", "\r\x1b[32m" + "━" * 500 + "\x1b[0m"))
    display.tick()
    assert paper.shown == ["\rworker:0 | " + "━" * 200]
    display.output(W0, Output("stdout", "\r" + " " * 500 + "\r\x1b[32m1/2\x1b[0m"))
    display._redraw_at = 0.0
    display.tick()
    assert paper.shown[1] == "\rworker:0 | \x1b[32m1/2\x1b[0m" + " " * 197
    display.ended(W0)
    assert paper.shown[2:] == ["\r" + " " * len("worker:0 | 1/2") + "\r",
                               "worker:0 | \x1b[32m1/2\x1b[0m\n"]  # fmt: skip


class Page(Paper):
    """A screen like a notebook's: a return goes back to the first character that was sent."""

    line, at = "", 0

    def length(self, text: str) -> int:
        return len(text)

    def write(self, stream: str, text: str) -> None:
        for piece in re.split(r"(\r)", text):
            if piece == "\r":
                self.at = 0
            else:
                self.line = self.line[: self.at] + piece + self.line[self.at + len(piece) :]
                self.at += len(piece)


def test_in_a_notebook_nothing_is_left_of_a_longer_bar():
    page = Page()
    display = CellDisplay([W0], page)
    for loss in ("4.16401234", "4.1"):
        display.output(W0, Output("stdout", f"\r\x1b[1m8/8\x1b[0m \x1b[32m━━\x1b[0m loss: {loss}"))
        display._redraw_at = 0.0
        display.tick()
    display.output(W0, Output("stdout", "\r\x1b[1m8/8\x1b[0m loss: 4" + " " * 20 + "\n"))
    display.ended(W0)
    assert ANSI.sub("", page.line).rstrip() == "worker:0 | 8/8 loss: 4"


def test_lines_of_bars_are_lines():
    lines = Lines()
    assert list(lines.feed("\x1b[1m1\x1b[0m\r\x1b[1m2\x1b[0m\n")) == ["\x1b[1m2\x1b[0m"]


def test_where_not_all_is_shown_its_file_is_named_and_displays_count():
    made = Merger([W0], room=100, logs={W0: "logs/worker-0.log"})
    made.add(W0, Item("", "", Output("display", data={"text/html": "x" * 90})), now=0.0)
    made.add(W0, Item("stdout", "y" * 20), now=0.0)
    made.add(W0, Item("stdout", "z"), now=0.0)
    shown = [item for _, item in made.rows(0.0)]
    assert len(shown) == 2
    assert shown[1].text == (
        "… too much output to show here: %mw_logs worker:0 -n 0 shows all lines; the log is"
        " logs/worker-0.log"
    )


@pytest.mark.parametrize(
    ("text", "count"), [("ab", 2), ("五六", 4), ("e\u0301", 1), ("größer", 6), ("█", 1), ("", 0)]
)
def test_columns_of_a_terminal(text, count):
    assert columns(text) == count


def test_a_redrawn_line_with_wide_characters_does_not_wrap():
    line = "\x1b[34mrunning\x1b[0m " + "五" * 80
    assert 37 <= columns(ANSI.sub("", cut(line, 40))) < 40
    assert cut("\x1b[34mrunning", 4) == "\x1b[34mrun\x1b[0m"
    assert cut("short", 40) == "short", "nothing is added where there are no colors"


def test_columns_with_wide_characters_are_lined_up():
    first, second = lined_up([("五六", "x"), ("a", "y")])
    assert (first, second) == ("五六  x", "a     y")

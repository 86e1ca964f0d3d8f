"""Text that is redrawn, as a terminal shows it."""

from __future__ import annotations

import io
import re

import pytest

from mwtutor.display.output.streams import Redrawn
from mwtutor.display.words import columns


class Terminal(io.StringIO):
    """A terminal that knows what :class:`Redrawn` needs: lines wrap at the last column, and the
    cursor cannot go above the screen."""

    def __init__(self, width: int, height: int) -> None:
        super().__init__()
        self.width, self.height = width, height

    def isatty(self) -> bool:
        return True

    @property
    def rows(self) -> list[str]:
        """Every row, including those that have scrolled off."""
        rows, at, top = [""], 0, 0
        for part in re.split(r"(\x1b\[\d*[AJKm]|\n)", self.getvalue()):
            if part == "\n":
                at += 1
            elif part.endswith("A") and part.startswith("\x1b"):
                at = max(at - int(part[2:-1]), top)
            elif part == "\x1b[J":
                del rows[at:]
            else:
                for char in re.sub(r"\x1b.*", "", part):
                    if columns(rows[at]) + columns(char) > self.width:
                        at += 1
                        rows += [""] * (at == len(rows))
                    rows[at] += char
            rows += [""] * (at - len(rows) + 1)
            top = max(top, at - self.height + 1)
        return rows[:-1]


@pytest.fixture
def terminal(monkeypatch):
    monkeypatch.setenv("COLUMNS", "40")
    monkeypatch.setenv("LINES", "12")
    monkeypatch.setenv("TERM", "xterm")
    return Terminal(40, 12)


def test_nothing_is_left_of_what_was_redrawn(terminal):
    """Wide characters, colors, a last text that wraps, and fewer lines than before."""
    redrawn = Redrawn(terminal)
    for number in range(3):
        redrawn.show(f"\x1b[34m步骤 {number}\x1b[0m " + "五六七" * 20 + "\nand more\nand more")
        assert [row[:4] for row in terminal.rows] == [f"步骤 {number}", "and ", "and "]
    redrawn.show(f"{'done ' * 20}\nend", last=True)
    assert "".join(terminal.rows) == f"{'done ' * 20}end"


def test_what_is_redrawn_is_no_higher_than_the_terminal_until_its_end(terminal):
    lines = [f"worker:{number}" for number in range(20)]
    redrawn = Redrawn(terminal)
    for _ in range(3):
        redrawn.show("\n".join(lines))
        assert terminal.rows == [*lines[:10], "… 10 more lines"]
    redrawn.show("\n".join(lines), last=True)
    assert terminal.rows == lines


def test_a_terminal_that_cannot_redraw_gets_no_control_sequence(terminal, monkeypatch):
    monkeypatch.setenv("TERM", "dumb")
    redrawn = Redrawn(terminal)
    redrawn.show("one")
    redrawn.show("two")
    assert terminal.getvalue() == "one\ntwo\n"

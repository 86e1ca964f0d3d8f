"""Commands in messages: as they are typed where the message is shown, and only where they exist."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

import mwtutor
from mwtutor.commands.dispatch import RUN_VERBS
from mwtutor.exceptions import NoRun
from mwtutor.interface import MAGIC, TERMINAL, Interface, Style
from mwtutor.magics.names import CELL_MAGICS

SOURCES = Path(mwtutor.__file__).parent

#: Commands that only a notebook shows.
OF_NOTEBOOKS = (
    "auto.py", "commands/sessions.py", "display/exercises.py", "display/output/by_task.py",
    "display/panel/folds.py", "display/panel/tabs_and_buttons.py", "display/panel/tails.py",
    "exercises/", "magics/", "markup.py", "overview.py", "sessions/",
)  # fmt: skip

_NAMED = re.compile(r"([@%])mw_(\w+)")


@pytest.mark.parametrize(
    ("style", "shown"), [(MAGIC, "Look at %mw_status."), (TERMINAL, "Look at mwtutor status.")]
)
def test_an_error_names_commands_as_they_are_typed(style: Style, shown, monkeypatch):
    monkeypatch.setattr(Interface, "style", style)
    assert NoRun("It is gone.", "Look at @mw_status.").remedy == shown


def _messages(path: Path) -> Iterator[str]:
    """The strings of a source file, and the parts of its f-strings, without docstrings."""
    tree = ast.parse(path.read_text())
    docs = {id(node.value) for node in ast.walk(tree) if isinstance(node, ast.Expr)}
    for node in ast.walk(tree):
        if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in docs:
            yield node.value


def test_every_message_names_commands_that_its_reader_has():
    for path in SOURCES.rglob("*.py"):
        name = path.relative_to(SOURCES).as_posix()
        if name.startswith("exercises/lessons/"):
            continue
        for message in _messages(path):
            for sign, verb in _NAMED.findall(message):
                if f"mw_{verb}" in CELL_MAGICS:
                    continue
                if sign == "@":
                    assert verb in RUN_VERBS, f"{name}: @mw_{verb} is not a command of both"
                elif verb in RUN_VERBS:
                    assert name.startswith(OF_NOTEBOOKS), f"{name}: write @mw_{verb}"

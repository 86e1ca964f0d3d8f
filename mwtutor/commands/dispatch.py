"""All commands, and the conversion of a typed line to options."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence

from mwtutor.commands import (
    authors,
    boards,
    cables,
    config,
    exchanges,
    explain,
    lessons,
    pictures,
    runs,
    targets,
)
from mwtutor.commands.parser import Parser
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.interface import TERMINAL, Style

#: The run commands, and the command that copies the course.
RUN_VERBS = {
    **runs.VERBS,
    **config.VERBS,
    **pictures.VERBS,
    **exchanges.VERBS,
    **boards.VERBS,
    **cables.VERBS,
    **explain.VERBS,
    **lessons.VERBS,
}

#: All commands of the terminal.
TERMINAL_VERBS = {**RUN_VERBS, **authors.VERBS, **targets.VERBS}

#: The commands whose program takes its own arguments, after ``--``.
_WITH_ARGUMENTS = {"launch", "export"}


def verbs() -> dict[str, Verb]:
    """All commands of a notebook, by name."""
    # Not at the top: a terminal does not need Jupyter.
    from mwtutor.commands import exercises, needs, sessions

    return {**RUN_VERBS, **sessions.VERBS, **exercises.VERBS, **needs.VERBS}


def find(verb: str, style: Style) -> Verb:
    known = TERMINAL_VERBS if style is TERMINAL else RUN_VERBS
    return known.get(verb) or verbs()[verb]


@functools.cache
def parser(verb: str, style: Style) -> Parser:
    """The parser of a command. It is created only once, to keep cells fast."""
    what = find(verb, style)
    made = Parser(verb, what.style or style, what.summary, what.examples)
    what.build(made)
    return made


def parse(verb: str, words: Sequence[str], style: Style) -> argparse.Namespace:
    """The options of a command; if it takes a program, ``args`` has the program's arguments.

    Raises:
        BadInput: the arguments are wrong; the error says why, and how to list the right ones.
    """
    words, after = list(words), []
    if verb in _WITH_ARGUMENTS and "--" in words:
        at = words.index("--")
        words, after = words[:at], words[at + 1 :]
    options = parser(verb, style).read(words)
    options.verb = verb
    if verb in _WITH_ARGUMENTS:
        options.args = after
    return options


def perform(verb: str, words: Sequence[str], style: Style, face: Face, cell: str = "") -> Answer:
    """Execute a command."""
    __tracebackhide__ = True  # IPython shows the cell's error, not the calls that executed the cell
    options = parse(verb, words, style)
    options.cell = cell
    return find(verb, style).body(options, face)

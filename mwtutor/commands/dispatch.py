"""Every verb there is, and how what was typed becomes its options."""

from __future__ import annotations

import argparse
import functools
from collections.abc import Sequence

from mwtutor.commands import boards, cables, pictures, runs
from mwtutor.commands.parser import Parser, Style
from mwtutor.commands.verb import Answer, Face, Verb

#: The verbs about runs; a terminal has these alone.
RUN_VERBS = {**runs.VERBS, **pictures.VERBS, **boards.VERBS, **cables.VERBS}


def verbs() -> dict[str, Verb]:
    """All of them, by name."""
    # Not above: a terminal has no use for Jupyter.
    from mwtutor.commands import exercises, needs, sessions

    return {**RUN_VERBS, **sessions.VERBS, **exercises.VERBS, **needs.VERBS}


def find(verb: str) -> Verb:
    return RUN_VERBS.get(verb) or verbs()[verb]


@functools.cache
def parser(verb: str, style: Style) -> Parser:
    """The parser of a verb. Made once: cells are to cost little."""
    what = find(verb)
    made = Parser(verb, what.style or style, what.summary, what.examples)
    what.build(made)
    return made


def parse(verb: str, words: Sequence[str], style: Style) -> argparse.Namespace:
    """The options of a verb; those of ``launch`` have the program's arguments in ``args``.

    Raises:
        BadInput: what is wrong with the words, and how to see the right ones.
    """
    words, after = list(words), []
    if verb == "launch" and "--" in words:
        at = words.index("--")
        words, after = words[:at], words[at + 1 :]
    options = parser(verb, style).read(words)
    options.verb, options.args = verb, after
    return options


def perform(verb: str, words: Sequence[str], style: Style, face: Face, cell: str = "") -> Answer:
    """Do what was typed."""
    __tracebackhide__ = True  # IPython shows what a cell does, not how it came to be executed
    options = parse(verb, words, style)
    options.cell = cell
    return find(verb).body(options, face)

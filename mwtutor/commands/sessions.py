"""The words of the session's verbs; they are for notebooks and IPython only."""

from __future__ import annotations

import argparse
import functools
import re
from collections.abc import Sequence

from mwtutor.commands.parser import MAGIC, Parser, Style, add_option, add_options, given, split
from mwtutor.commands.runs import Verb
from mwtutor.exceptions import BadInput
from mwtutor.run.options import row
from mwtutor.run.request import LaunchRequest

#: Cell magics: ``%%mw`` and ``%%mw_scope``.
CELL = Style("%%")


def _start(parser: Parser) -> None:
    add_option(parser, row(LaunchRequest, "workers"), nargs="?")
    add_options(parser, "start")


def _cell(parser: Parser) -> None:
    add = parser.add_argument
    add("--task", default="", help="on this one only, for example worker:1")
    add("--chief", action="store_true", help="on the task only that does the chief's work")
    add("--no-export", action="store_true", help="leave the cell out of %%mw_export")
    _session(parser)


def _session(parser: Parser) -> None:
    parser.add_argument("--name", default="", help="a session's name (default: the latest)")


def _push(parser: Parser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="of a variable of the notebook")
    _session(parser)


def _pull(parser: Parser) -> None:
    parser.add_argument("names", nargs="+", metavar="NAME", help="of a variable of the workers")
    parser.add_argument("--task", default="", help="from this one (default: a dict of all tasks)")
    _session(parser)


def _export(parser: Parser) -> None:
    parser.add_argument("path", help="the script to write, for example main.py")
    parser.add_argument("--force", action="store_true", help="overwrite a file that is not ours")
    _session(parser)


VERBS = {
    "start": Verb(
        "Start a session: workers that stay and execute cells.\n"
        "Each has strategy, task_type, task_index, num_workers, is_chief, and tf.",
        _start,
        "  @start 2\n  @start 3 --keras 2 --threads 1\n",
    ),
    "push": Verb("Give the workers variables of the notebook.", _push, "  @push x y\n"),
    "pull": Verb(
        "Fetch variables of the workers: arrays, plain values, weights, a Keras History.",
        _pull,
        "  @pull history --task worker:0\n  @pull loss\n",
    ),
    "restart": Verb("Fresh workers: nothing is defined on them.", _session, "  @restart\n"),
    "export": Verb(
        "Write the session's cells, in order, as a script that runs anywhere.\n"
        "Cells that failed are left out; a cell of a notebook that ran again stays where it\n"
        "was, as it was last. What only IPython understands (magics, await) becomes a comment.",
        _export,
        "  @export main.py\n",
    ),
}

CELL_VERBS = {
    "mw": Verb(
        "Execute the cell on every worker at once.", _cell, "  @mw\n  @mw --task worker:1\n"
    ),
    "mw_scope": Verb(
        "Execute the cell on every worker, inside strategy.scope(): variables that it creates\n"
        "are mirrored. What it defines stays defined.",
        _cell,
        "  @mw_scope\n",
    ),
}


@functools.cache
def parser(verb: str) -> Parser:
    """The parser of a verb, of a line or a cell magic. Made once: cells are to cost little."""
    what = VERBS.get(verb) or CELL_VERBS[verb]
    made = Parser(verb, MAGIC if verb in VERBS else CELL, what.summary, what.examples)
    what.build(made)
    return made


def parse(verb: str, line: str) -> argparse.Namespace:
    """The options of a verb.

    Raises:
        BadInput: what is wrong with the words, and how to see the right ones.
    """
    return parser(verb).read(split(line))


def session_request(options: argparse.Namespace) -> LaunchRequest:
    """The request that the options of ``start`` spell."""
    return LaunchRequest("", **given(options, "start"))


def check_cell(verb: str, body: str) -> None:
    """Raise :class:`BadInput` for a body that cannot be meant."""
    if not body.strip():
        raise BadInput(f"This %%{verb} cell is empty.", "Write what the workers are to execute.")
    if nested := re.search(r"^\s*(%%mw\w*)", body, re.MULTILINE):
        raise BadInput(
            f"{nested[1]} stands inside a %%{verb} cell.", "Put it in a cell of its own."
        )
    if own := re.search(r"^\s*(%mw_\w+)", body, re.MULTILINE):
        raise BadInput(
            f"{own[1]} belongs to the notebook, and this cell is executed on the workers.",
            f"Put {own[1]} in a cell of its own.",
        )


def names(words: Sequence[str]) -> list[str]:
    """Names of variables, separated by blanks or commas."""
    found = [name for word in words for name in word.split(",") if name]
    for name in found:
        if not name.isidentifier():
            raise BadInput(
                f"{name!r} is not the name of a variable.", "Assign it to a name in a cell first."
            )
    return found

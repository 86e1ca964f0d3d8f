"""``%%mw_needs``: a cell that runs only where the hardware and versions that it needs exist."""

from __future__ import annotations

import ast
from argparse import Namespace
from typing import Any

from mwtutor.commands.parser import Parser
from mwtutor.commands.sessions import CELL
from mwtutor.commands.verb import Answer, Face, Verb
from mwtutor.devices.requirements import WORDS, is_requirement, unmet
from mwtutor.exceptions import BadInput


def _needs(parser: Parser) -> None:
    parser.add_argument("words", nargs="+", metavar="NEED", help="for example gpu2 or tf>=2.16")


def _needs_body(options: Namespace, face: Face) -> Answer:
    __tracebackhide__ = True  # a traceback shows the cell, not this function
    if misspelt := [word for word in options.words if not is_requirement(word)]:
        raise BadInput(f"{misspelt[0]!r} is not a known requirement.", WORDS)
    if reasons := [reason for word in options.words if (reason := unmet(word))]:
        face.say(f"skipped: {'; '.join(reasons)}")
        return Answer()
    return Answer(_executed(options.cell, face.shell))


def _executed(cell: str, shell: Any) -> Any:
    """Execute a cell here, and return the value of its last expression.

    It does not use ``run_cell``, which hides errors: the cell must fail if its body does.
    """
    __tracebackhide__ = True
    body = shell.compile.ast_parse(shell.transform_cell(cell)).body
    last = body.pop() if body and isinstance(body[-1], ast.Expr) else None
    name = shell.compile.cache(cell)
    exec(shell.compile(ast.Module(body, []), name, "exec"), shell.user_ns)
    if last is None:
        return None
    return eval(shell.compile(ast.Expression(last.value), name, "eval"), shell.user_ns)


VERBS = {
    "mw_needs": Verb(
        "Execute the cell in the notebook if its requirements are met; otherwise show what is"
        " missing.",
        _needs,
        _needs_body,
        "  @mw_needs gpu\n  @mw_needs gpu2 tf>=2.16\n",
        CELL,
    ),
}

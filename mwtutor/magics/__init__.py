"""The magics: parse the line, call the API, show the result. No state, no logic."""

from __future__ import annotations

from typing import Any

from mwtutor import session_options
from mwtutor.magics.runs import RunMagics
from mwtutor.magics.session import SessionMagics
from mwtutor.options import MAGIC, VERBS, parser


def register(shell: Any) -> None:
    """Make the magics known to a shell, each with its complete help."""
    for verb in VERBS:
        method = getattr(RunMagics, f"mw_{verb}")
        method.__doc__ = parser(verb, MAGIC).format_help()
    for verb in session_options.VERBS:
        _document(f"mw_{verb}", verb)
    for verb in session_options.CELL_VERBS:
        _document(verb, verb)
    shell.register_magics(RunMagics)
    shell.register_magics(SessionMagics)


def _document(method: str, verb: str) -> None:
    getattr(SessionMagics, method).__doc__ = session_options.parser(verb).format_help()

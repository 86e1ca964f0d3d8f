"""The line magics: parse the line, call the API, show the result. No state, no logic."""

from __future__ import annotations

from typing import Any

from mwtutor.magics.runs import RunMagics
from mwtutor.options import MAGIC, VERBS, parser


def register(shell: Any) -> None:
    """Make the magics known to a shell, each with its complete help."""
    for verb in VERBS:
        method = getattr(RunMagics, f"mw_{verb}")
        method.__doc__ = parser(verb, MAGIC).format_help()
    shell.register_magics(RunMagics)

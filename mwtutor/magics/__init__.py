"""The magics: parse the line, call the API, show the result. No state, no logic.

What they need is imported when one of them is first used: ``%load_ext`` must cost nothing.
"""

from __future__ import annotations

from typing import Any

#: The verbs that have a line magic, ``%mw_<verb>``.
LINE_MAGICS = ("launch", "status", "logs", "wait", "stop", "runs", "config", "kill")


class LazyMagic:
    """``%mw_<verb>``, which is looked up when it is called or asked for its help."""

    def __init__(self, verb: str, shell: Any) -> None:
        self._verb = verb
        self._shell = shell
        self.__name__ = f"mw_{verb}"

    def __repr__(self) -> str:
        return f"%{self.__name__}"

    def __call__(self, line: str) -> Any:
        from mwtutor.magics.runs import RunMagics

        return getattr(RunMagics(self._shell), self.__name__)(line)

    @property
    def __doc__(self) -> str:  # type: ignore[override]
        from mwtutor.options import MAGIC, parser

        return parser(self._verb, MAGIC).format_help()


def register(shell: Any) -> None:
    """Make the magics known to a shell."""
    for verb in LINE_MAGICS:
        shell.register_magic_function(LazyMagic(verb, shell), "line", f"mw_{verb}")

"""Completion and inspection for IPython and its kernel; the answers come from
``mwtutor.commands.completion``, which is imported at the first request.
"""

from __future__ import annotations

from itertools import zip_longest
from typing import Any

#: mwtutor's matcher; the completer's other matchers come after it.
_IDENTIFIER, _PRIORITY = "mwtutor", 1000.0


def attach(shell: Any) -> None:
    """Register completion with a shell, and inspection with its kernel."""
    completer: Any = getattr(shell, "Completer", None)
    if hasattr(completer, "custom_matchers"):
        others = [one for one in completer.custom_matchers if not hasattr(one, "mwtutor")]
        completer.custom_matchers[:] = [*others, _match]
    kernel: Any = getattr(shell, "kernel", None)
    # IPython has no hook that receives the cell, so the method is replaced on this kernel object
    # only.
    if hasattr(kernel, "do_inspect") and not isinstance(kernel.do_inspect, _Inspect):
        kernel.do_inspect = _Inspect(kernel.do_inspect)


def _match(context: Any) -> dict[str, Any]:
    """A matcher in version 2 of the protocol of :mod:`IPython.core.completer`."""
    if "%mw" not in context.full_text:
        return {"completions": []}
    from IPython.core.completer import SimpleCompletion

    from mwtutor.commands.completion import candidates

    found = candidates(context.full_text, context.cursor_line, context.cursor_position)
    if found is None:
        return {"completions": []}
    return {
        "completions": [
            SimpleCompletion(text=one, type=kind or None)
            for one, kind in zip_longest(found.found, found.kinds, fillvalue="")
        ],
        "matched_fragment": found.typed,
        "suppress": True,
        "ordered": True,
    }


_match.matcher_api_version = 2  # type: ignore[attr-defined]
_match.matcher_priority = _PRIORITY  # type: ignore[attr-defined]
_match.matcher_identifier = _IDENTIFIER  # type: ignore[attr-defined]
_match.mwtutor = True  # type: ignore[attr-defined]


class _Inspect:
    """Replaces a kernel's ``do_inspect``, which still handles cells without a mwtutor command."""

    def __init__(self, other: Any) -> None:
        self._other = other

    def __call__(self, code: str, cursor_pos: int, detail_level: int = 0, *more: Any) -> Any:
        if code.lstrip().startswith("%%mw"):
            from mwtutor.commands.completion import inspect_at

            if (found := inspect_at(code, cursor_pos, detail_level)) is not None:
                return dict(found)
        return self._other(code, cursor_pos, detail_level, *more)

"""One replacement of the bridge under ParameterServerStrategy."""

from __future__ import annotations

from collections.abc import Callable

from mwtutor.bridges.keras3.patching import Function, Patch


def replacement(
    where: str, name: str, wrap: Callable[[Function], Function], why: str, row: str
) -> Patch:
    """See :class:`Patch`; it is needed until a row of the table passes without it."""
    until = f"the row '{row}' of tests/parity/served passes without the bridge"
    return Patch(where, name, wrap, why, until)

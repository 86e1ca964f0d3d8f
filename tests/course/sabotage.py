"""A variation of a lesson that must change the output of one of its check cells."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class CheckSabotage:
    """A fault that a check cell must notice.

    Attributes:
        why: what goes wrong, in a few words.
        check: the id of the check cell.
        cell: the id of the cell that is changed.
        old, new: the replaced text, and its replacement.
        needs: the ids of the other cells that must run. They and the setup cells are executed in
            the notebook's order.
    """

    check: str
    cell: str
    old: str
    new: str
    needs: tuple[str, ...] = ()
    why: str = ""

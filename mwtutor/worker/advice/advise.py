"""The meaning of an error and what to do; nothing about errors that no row matches."""

from __future__ import annotations

import os
import re
import traceback

from mwtutor.system import shadows
from mwtutor.worker.advice.common_errors import ROWS, keras_2
from mwtutor.worker.advice.row import Row, main_file
from mwtutor.worker.patches import first_use

#: The number of characters at the start of a message that are searched.
_SEARCHED = 20_000


def advise(
    error: BaseException, said: str, place: traceback.FrameSummary | None, *, cell: bool = False
) -> str:
    """What the error means and what to do, in a sentence each; empty if no row matches.

    Args:
        said: the error's message.
        place: the user's line that raised it.
        cell: whether it was raised in a session's cell.
    """
    if found := shadows.shadow_behind(error):
        name, file = found
        return (
            f"import {name} finds your own {os.path.basename(file)} first, because it is in the"
            " program's directory. Rename that file."
        )
    for row in (*ROWS, *(keras_2.ROWS if keras_2.keras_3_by_way_of_tensorflow(place) else ())):
        match = re.search(row.message, said[:_SEARCHED])
        if match and re.fullmatch(row.error, type(error).__name__) and row.applies(error, match):
            words = (row.in_cell if cell else "") or f"{row.means} {row.do}".strip()
            program = os.path.basename(main_file()) or "main.py"
            return _in_order(row, place) or words.format(program=program, **match.groupdict())
    return ""


def _in_order(row: Row, place: traceback.FrameSummary | None) -> str:
    first = first_use.line()
    if not row.in_order or first is None or place is None or first.filename != place.filename:
        return ""
    # If the first use is further down, moving this line does not help, because it is in a function
    # or a loop.
    if first.name != place.name or (first.lineno or 0) >= (place.lineno or 0):
        return ""
    return row.in_order.format(earlier=f"Line {first.lineno}", later=f"line {place.lineno}")

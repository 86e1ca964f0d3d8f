"""Lists of row numbers, as a learner's function may return them."""

from __future__ import annotations

import operator
from typing import Any

#: More rows than any check asks for, because a generator may be endless.
_MOST = 10_000


def as_rows(value: Any) -> list[int] | None:
    """The rows, if this is a list, tuple, array or generator of whole numbers; otherwise None."""
    if isinstance(value, (str, bytes, dict)):
        return None
    rows: list[int] = []
    try:
        for row in value:
            if isinstance(row, bool) or len(rows) == _MOST:
                return None
            rows.append(operator.index(row))
    except Exception:  # what iterating over an unknown value, or a generator, may raise
        return None
    return rows

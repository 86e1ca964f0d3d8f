"""The values on the workers of a session, as a check sees them."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Work


def each_worker(work: Work, expression: str) -> list[Any]:
    """The values, those of `worker:0` first."""
    found = work.session[expression]
    return [found[task] for task in sorted(found, key=str)]


def of_chief(work: Work, expression: str) -> Any:
    """The value on the only task that executes cells; None if there is none."""
    return next(iter(work.session[expression].values()), None)


def as_array(value: Any) -> Any:
    """The value as numbers; None if it is not numeric."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None

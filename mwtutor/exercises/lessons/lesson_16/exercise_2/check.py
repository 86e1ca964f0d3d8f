"""16-2: the largest numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

#: Numbers in the vector, share that is sent, and how many these are.
_CASES = ((40, 0.1, 4), (200, 0.05, 10), (30, 0.01, 1), (9, 0.5, 4), (5, 1.0, 5))


def check(work: Work) -> Verdict:
    function = work.value("compress")
    if not callable(function):
        return not_yet("There is no function `compress`.")
    random = np.random.default_rng()
    for size, share, count in _CASES:
        # Numbers whose order by size is clear, most of the largest negative; the rest matters.
        sizes = random.permutation(np.arange(1.0, size + 1.0))
        wanted = sizes * np.where(sizes > size / 2, -1.0, 1.0)
        rest = random.permutation(wanted) * 0.75
        gradient = wanted - rest
        given = gradient.copy(), rest.copy()
        try:
            found = function(*given, share)
        except Exception as error:
            return wrong(f"`compress` raises {type(error).__name__}: {error}")
        if found is None:
            return not_yet("`compress` returns None.")
        changed = [not np.array_equal(*pair) for pair in zip(given, (gradient, rest), strict=True)]
        if any(changed):
            which = "gradient" if changed[0] else "rest"
            return wrong(f"the vector `{which}` that was passed in has changed.")
        if problem := _problem(found, gradient, rest, count):
            return wrong(f"With {size} numbers and a share of {share}, {problem}")
    return right("The largest are sent, and what is sent and the rest add up to what there was.")


def _problem(found: Any, gradient: Any, rest: Any, count: int) -> str:
    """What is wrong with what was returned; empty if nothing is."""
    wanted = gradient + rest
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        return "what is returned is not positions, values and the new rest."
    positions, values, left = map(as_array, found)
    if positions is None or values is None or left is None or left.shape != wanted.shape:
        return "what is returned is not two vectors, and a new rest as long as the gradient."
    if positions.ndim != 1 or positions.shape != values.shape or len(positions) != count:
        shown = "no" if positions.size == 0 else f"{positions.size}"
        return f"there are {shown} positions and {values.size} values, not {count} of each."
    if not np.array_equal(positions, positions.astype(int)) or not _are_places(positions, wanted):
        return "a position is not one of the vector, or stands there twice."
    places = positions.astype(int)
    if not np.allclose(values, wanted[places]):
        return "a value is not the number at its position in `gradient + rest`."
    order = np.argsort(abs(wanted))[::-1][:count]
    if set(places) != set(order):
        if set(places) == set(np.argsort(abs(gradient))[::-1][:count]):
            return "the largest of the gradient alone are sent, not of `gradient + rest`."
        return "those that are sent are not the largest by absolute value."
    total = left.copy()
    total[places] += values
    for at in np.flatnonzero(~np.isclose(total, wanted)):
        if at in places:
            return f"number {at} is sent, and is still in the rest."
        return f"number {at} is in neither: it is not sent, and not in the rest."
    return ""


def _are_places(positions: Any, wanted: Any) -> bool:
    inside = (positions >= 0) & (positions < len(wanted))
    return bool(inside.all()) and len(set(positions.tolist())) == len(positions)

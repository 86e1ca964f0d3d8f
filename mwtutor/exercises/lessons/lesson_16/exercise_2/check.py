"""16-2: the largest numbers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

#: A learner's function may import TensorFlow, which takes a long time on a busy machine.
SECONDS = 60

#: The vector's length, the share that is sent, how many numbers that is, and how many different
#: magnitudes the vector has.
_CASES = (
    (40, 0.1, 4, 40),
    (200, 0.05, 10, 200),
    (30, 0.01, 1, 30),
    (9, 0.5, 4, 9),
    (19, 0.15, 2, 19),  # 2.85
    (5, 1.0, 5, 5),
    (40, 0.1, 4, 8),  # five of each size, so all four are as large as a fifth
)


def check(work: Work) -> Verdict:
    function = work.value("compress")
    if not callable(function):
        return not_yet("There is no function `compress`.")
    random = np.random.default_rng()
    for size, share, count, different in _CASES:
        # Most of the largest numbers are negative, and `rest` matters.
        # More digits than 16 bits have, but few enough for equal sizes to stay equal.
        unit = 1 + random.integers(2048) / 2048 + 1 / 4096
        sizes = unit * random.permutation(np.arange(size) % different + 1.0)
        wanted = sizes * np.where(sizes > unit * different / 2, -1.0, 1.0)
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
            return wrong(f"`compress` changes its argument `{which}`.")
        if problem := _problem(found, gradient, rest, count):
            ties = ", some of the same size," if different < size else ""
            return wrong(f"With {size} numbers{ties} and a share of {share}, {problem}")
    return right("The largest numbers are sent; they and the rest add up to `gradient + rest`.")


def _problem(found: Any, gradient: Any, rest: Any, count: int) -> str:
    """What is wrong with what was returned; empty if nothing is."""
    wanted = gradient + rest
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        return "`compress` does not return positions, values and the new rest."
    positions, values, left = map(as_array, found)
    if positions is None or values is None or positions.ndim != 1 or values.ndim != 1:
        return "the positions or the values are not a vector of numbers."
    if left is None or left.shape != wanted.shape:
        return "the new rest is not a vector of the gradient's length."
    if positions.shape != values.shape or len(positions) != count:
        return (
            f"the number of positions is {positions.size}, and that of values {values.size}: both"
            f" should be {count}."
        )
    if not np.array_equal(positions, positions.astype(int)) or not _are_places(positions, wanted):
        return f"a position is not a whole number from 0 to {len(wanted) - 1}, or occurs twice."
    places = positions.astype(int)
    if not np.allclose(values, wanted[places]):
        return "a value is not the number at its position in `gradient + rest`."
    if abs(wanted[places]).sum() < np.sort(abs(wanted))[-count:].sum() - 0.5:
        if set(places) == set(np.argsort(abs(gradient))[::-1][:count]):
            return "the largest of the gradient alone were sent, not those of `gradient + rest`."
        return "the numbers that were sent are not the largest by absolute value."
    total = left.copy()
    total[places] += values
    for at in np.flatnonzero(~np.isclose(total, wanted)):
        if at in places:
            return f"the number at position {at} is sent, but the new rest is not 0 there."
        if not left[at]:
            return f"the number at position {at} is neither sent nor in the new rest."
        return f"position {at} is not sent, but the new rest is not `gradient + rest` there."
    return ""


def _are_places(positions: Any, wanted: Any) -> bool:
    inside = (positions >= 0) & (positions < len(wanted))
    return bool(inside.all()) and len(set(positions.tolist())) == len(positions)

"""16-3: eight bits, and nothing lost."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

_SIZES = (50, 7, 300)

#: A learner may compute with 32 bits.
_ROUNDING = 1e-5


def check(work: Work) -> Verdict:
    function = work.value("quantize")
    if not callable(function):
        return not_yet("There is no function `quantize`.")
    random = np.random.default_rng()
    cases = []
    for size in _SIZES:
        gradient, rest = random.normal(size=(2, size)) * 10.0 ** random.integers(-3, 4)
        gradient[0] = -2 * abs(gradient + rest).max() - rest[0]  # the largest one is negative
        cases.append((f"{size} numbers", gradient, rest))
    cases.append(("numbers that are all 0", np.zeros(6), np.zeros(6)))
    for what, gradient, rest in cases:
        given = gradient.copy(), rest.copy()
        try:
            with warnings.catch_warnings(), np.errstate(all="ignore"):
                warnings.simplefilter("ignore")
                found = function(*given)
        except Exception as error:
            return wrong(f"With {what}, `quantize` raises {type(error).__name__}: {error}")
        if found is None:
            return not_yet("`quantize` returns None.")
        changed = [not np.array_equal(*pair) for pair in zip(given, (gradient, rest), strict=True)]
        if any(changed):
            which = "gradient" if changed[0] else "rest"
            return wrong(f"the vector `{which}` that was passed in has changed.")
        if problem := _problem(found, gradient + rest):
            return wrong(f"With {what}: {problem}")
    return right("Every number arrives to half of the scale, and the rest is what has not arrived.")


def _problem(found: Any, wanted: Any) -> str:
    """What is wrong with what was returned; empty if nothing is."""
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        return "what is returned is not numbers, a scale and the new rest."
    numbers, scale, left = found[0], as_array(found[1]), as_array(found[2])
    if getattr(numbers, "dtype", None) != np.int8 or numbers.shape != wanted.shape:
        return "`numbers` is not an array of type int8, as long as the gradient."
    if scale is None or scale.size != 1 or left is None or left.shape != wanted.shape:
        return "the scale is not one number, or the new rest not a vector like the gradient."
    if not np.isfinite(scale).all() or not np.isfinite(left).all():
        zero = "if all numbers are 0, " * (not wanted.any())
        return f"{zero}the scale or the rest is not a finite number."
    if not wanted.any():
        nothing = not (scale * numbers).any() and not left.any()
        return "" if nothing else "if all numbers are 0, what arrives, or is left, is not 0."
    one = float(scale.reshape(()) if scale.ndim == 0 else scale.ravel()[0])
    if not one or abs(wanted / one).max() > 128.5:
        return (
            f"with the scale {one:.3g}, the number {wanted[abs(wanted).argmax()]:.3g} is outside of"
            " -127 to 127."
        )
    largest = abs(numbers.astype(int)).max()
    if largest == 127:
        if (off := abs(wanted - one * numbers).max() / abs(one)) > 0.5 + 100 * _ROUNDING:
            return f"a number is off by {off:.2f} times the scale, more than half of the scale."
    elif largest == 126 and abs(wanted / one).max() > 126.9:
        return "a number is cut off, not rounded: it is off by more than half of the scale."
    else:
        return f"the largest number becomes {largest}, not 127 or -127."
    if not np.allclose(left, wanted - one * numbers, atol=_ROUNDING * abs(wanted).max()):
        return "the new rest is not what has not arrived."
    return ""

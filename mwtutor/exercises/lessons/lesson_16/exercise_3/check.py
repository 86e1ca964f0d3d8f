"""16-3: eight bits, and nothing lost."""

from __future__ import annotations

import warnings
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

#: A learner's function may import TensorFlow, which takes a long time on a busy machine.
SECONDS = 60

#: How many numbers, the sign of the largest, and how large they are: no fixed scale fits all.
_CASES = ((50, -1, 1.0), (7, 1, 1e-3), (300, -1, 1e3), (20, 1, 1e-9))

#: A learner may compute with 32 bits.
_ROUNDING = 1e-5


def check(work: Work) -> Verdict:
    function = work.value("quantize")
    if not callable(function):
        return not_yet("There is no function `quantize`.")
    random = np.random.default_rng()
    cases = []
    for size, sign, unit in _CASES:
        gradient, rest = random.normal(size=(2, size)) * unit
        at = random.integers(size)
        gradient[at] = sign * 2 * abs(gradient + rest).max() - rest[at]
        cases.append((f"{size} numbers of about {unit:g}", gradient, rest))
    cases.append(("numbers below 0", *-random.uniform(1, 2, size=(2, 10))))
    half = random.integers(1, 50, size=(2, 5)).astype(float)
    cases.append(("numbers that add up to 0", *np.concatenate([half, -half], axis=1)))
    cases.append(("numbers that are all 0", np.zeros(6), np.zeros(6)))
    for what, gradient, rest in cases:
        given = gradient.copy(), rest.copy()
        try:
            with warnings.catch_warnings(record=True) as warned, np.errstate(all="warn"):
                warnings.simplefilter("always")
                found = function(*given)
        except Exception as error:
            return wrong(f"With {what}, `quantize` raises {type(error).__name__}: {error}")
        if found is None:
            return not_yet("`quantize` returns None.")
        changed = [not np.array_equal(*pair) for pair in zip(given, (gradient, rest), strict=True)]
        if any(changed):
            which = "gradient" if changed[0] else "rest"
            return wrong(f"`quantize` changes its argument `{which}`.")
        if problem := _problem(found, gradient, rest):
            return wrong(f"With {what}: {problem}")
        if any("invalid value encountered in cast" in str(one.message) for one in warned):
            return wrong(f"With {what}: NaN is converted to `int8`, and the result is undefined.")
    return right(
        "No number is off by more than half of the scale, and the rest is what has not arrived."
    )


def _problem(found: Any, gradient: Any, rest: Any) -> str:
    """What is wrong with what was returned; empty if nothing is."""
    wanted = gradient + rest
    if not isinstance(found, (tuple, list)) or len(found) != 3:
        return "`quantize` does not return numbers, a scale and the new rest."
    if getattr(found[0], "dtype", None) != np.int8 or tuple(found[0].shape) != wanted.shape:
        return "`numbers` is not an int8 array of the same length as the gradient."
    numbers, scale, left = np.asarray(found[0]), as_array(found[1]), as_array(found[2])
    if scale is None or scale.size != 1 or left is None or left.shape != wanted.shape:
        return "the scale is not one number, or the new rest not a vector of the gradient's length."
    if not np.isfinite(scale).all() or not np.isfinite(left).all():
        return "the scale or the new rest is not finite."
    one = float(scale.ravel()[0])
    arrived = one * numbers
    if not wanted.any():
        nothing = not arrived.any() and not left.any()
        return "" if nothing else "what arrives, or the new rest, is not 0."
    if not one:
        return "the scale is 0, so nothing arrives."
    half = (0.5 + 100 * _ROUNDING) * abs(one)
    if abs(wanted - numbers / one).max() <= 1 / abs(one) < abs(wanted - arrived).max():
        return "the numbers fit `numbers / scale`, but what arrives is `scale * numbers`."
    if abs(wanted - arrived).max() > half >= abs(gradient - arrived).max():
        return "what arrives is near to `gradient`, not to `gradient + rest`."
    top = abs(wanted).argmax()
    if abs(wanted[top] / one) > 128.5:
        return (
            f"with the scale {one:.3g}, the number {wanted[top]:.3g} would become"
            f" {wanted[top] / one:.0f}, outside of -127 to 127."
        )
    largest = int(abs(numbers.astype(int)).max())
    if largest == 127:
        if (off := abs(wanted - arrived).max()) > half:
            off /= abs(one)
            return f"a number is off by {off:.2f} times the scale, more than half of the scale."
    elif largest == 126 and abs(wanted[top] / one) > 126.9:
        return "a number is cut off, not rounded: it is off by more than half of the scale."
    else:
        return f"the largest number becomes {numbers[top]}, not 127 or -127."
    if not np.allclose(left, wanted - arrived, atol=_ROUNDING * abs(wanted).max()):
        return "the new rest is not `gradient + rest` minus what arrives."
    return ""

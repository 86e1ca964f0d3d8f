"""10-2: half the bytes, and nothing lost."""

from __future__ import annotations

import math
from typing import Any, TypeGuard

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_EXCHANGED = "exchanged"

SESSION = (_EXCHANGED,)

#: The gradients, which each worker multiplies by a number that only it knows; and how many
#: there are of each.
SAMPLES, COUNT = (2e-9, 3e-3, 40.0), 1000

#: The largest allowed relative error of a sum.
_OFF = 0.02


def check(work: Work) -> Verdict:
    found = each_worker(work, _EXCHANGED)
    told = [one for one in found if isinstance(one, dict)]
    drawn = [as_array(one.get("drawn")) for one in told]
    if len(told) != 2 or any(one is None or one.shape != () for one in drawn):
        return not_yet("`exchange` has not finished on both workers.")
    verdicts = []
    for one in told:
        sums, types, sent = (one.get(name) for name in ("sums", "types", "sent"))
        if not _are_sums(sums) or not isinstance(types, list) or not isinstance(sent, int):
            return not_yet("`exchange` has not finished on both workers.")
        wanted = [float(sum(drawn)) * sample for sample in SAMPLES]
        width = sent / (COUNT * len(SAMPLES))
        verdicts.append(_judge_exchange([float(one) for one in sums], wanted, types, width))
    return next((one for one in verdicts if one.status != "right"), verdicts[0])


def _are_sums(value: Any) -> TypeGuard[list[float]]:
    numbers = isinstance(value, list) and all(isinstance(one, int | float) for one in value)
    return numbers and len(value) == len(SAMPLES)


def _judge_exchange(
    sums: list[float], wanted: list[float], types: list[Any], width: float
) -> Verdict:
    """Judge the sums that a worker has, their types, and the bytes it sent for each number."""
    near = [abs(one / right - 1) < _OFF for one, right in zip(sums, wanted, strict=True)]
    if not width:
        return wrong("Nothing was sent from one worker to the other.")
    if width == 4 and all(near) and set(types) == {"float32"} and not _is_rounded(sums):
        return not_yet(f"The sums are right, with {width:g} bytes on the wire for each number.")
    if width > 2:
        later = ": a cast after the exchange is too late" * _is_rounded(sums)
        return wrong(f"There are {width:g} bytes on the wire for each number{later}.")
    if math.isinf(sums[2]):
        return wrong(
            f"The gradients of {SAMPLES[2]:g} became infinite: float16 ends at 65504, also for"
            " numbers that were scaled up to save the small ones."
        )
    if sums[0] == 0:
        return wrong(
            f"The gradients of {SAMPLES[0]:g} became 0 on the way: float16's smallest positive"
            " number is 6e-08."
        )
    if not all(near):
        given, right_ones = (", ".join(f"{one:.3g}" for one in row) for row in (sums, wanted))
        return wrong(f"The sums are {given}, not within 2 % of {right_ones}.")
    if set(types) != {"float32"}:
        return wrong(
            f"The sums are right, but their type is {types[0]}: added to a 32-bit variable they"
            " raise an error, and further sums lose small numbers."
        )
    return right("Two bytes for each number on the wire, and both large and small sums are right.")


def _is_rounded(sums: list[float]) -> bool:
    """Whether they have no more digits than 16 bits can hold."""
    return all(float(math.frexp(one)[0] * 2**11).is_integer() for one in sums if math.isfinite(one))

"""10-1: how long does it take?"""

from __future__ import annotations

import math
from collections.abc import Mapping
from itertools import product
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: The arguments of the learner's function: bytes of gradients, machines, bits per second of a link.
SIZES, MACHINES, RATES = (25_000_000, 1_000, 8_000_000), (2, 3, 4, 16), (1e8, 1e10)

#: Times with a smaller relative difference count as equal.
_NEAR = 0.001

#: A number of machines, bytes, and bits per second.
_Asked = tuple[int, int, float]

#: Wrong beliefs about an exchange of ``bits`` among ``n`` machines, and the verdicts.
_BELIEFS = (
    (
        lambda n, bits: 2 * (n - 1) / n * bits / 8,
        "an eighth of the time: the size is in bytes, but link speeds are in bits.",
    ),
    (
        lambda n, bits: 2 * (n - 1) * bits,
        "the time if one machine collects everything and sends it to all others: with 16"
        " machines, 15 times as long as with 2.",
    ),
    (
        lambda n, bits: (n - 1) / n * bits,
        "half of the time: after one time around the ring, each piece is complete at only one"
        " machine.",
    ),
    (
        lambda n, bits: bits,
        "the same for any number of machines. For two machines that is right; with more, each sends"
        " more than the gradients once.",
    ),
)


def check(work: Work) -> Verdict:
    told = _seconds(work.value("exchange_seconds"))
    if told is None:
        return not_yet("`exchange_seconds` does not return a number of seconds.")
    if _like(told, lambda n, bits: 2 * (n - 1) / n * bits):
        long, short = told[16, SIZES[0], 1e8], told[16, SIZES[0], 1e10]
        return right(
            f"Sixteen machines need {long:.2g} s at 100 Mbit/s, and {short:.2g} s at 10 Gbit/s."
        )
    for belief, words in _BELIEFS:
        if _like(told, belief):
            return wrong(f"For each link, this is {words}")
    factor = told[2, SIZES[0], 1e8] / (8 * SIZES[0] / 1e8)
    if _like(told, lambda n, bits: factor * 2 * (n - 1) / n * bits):
        return wrong(f"This is always {factor:.4g} times the time that a machine's bytes take.")
    return wrong(
        f"In your answer, two machines need {told[2, SIZES[0], 1e8]:.3g} s for {SIZES[0]:,} bytes"
        f" at 100 Mbit/s, and {told[2, SIZES[1], 1e8]:.3g} s for {SIZES[1]:,}; four machines need"
        f" {told[4, SIZES[0], 1e8]:.3g} s for {SIZES[0]:,}. Count the bits that each sends."
    )


def _seconds(function: Any) -> dict[_Asked, float] | None:
    """The function's answers, of any numeric type; None if one is anything else."""
    if not callable(function):
        return None
    asked = list(product(MACHINES, SIZES, RATES))
    found = [function(*one) for one in asked]
    try:
        told = [float(one) for one in found if not isinstance(one, str)]
    except (TypeError, ValueError, OverflowError):
        return None
    if len(told) != len(asked) or not all(map(math.isfinite, told)):
        return None
    return dict(zip(asked, told, strict=True))


def _like(told: Mapping[_Asked, float], belief: Any) -> bool:
    wanted = {(n, size, rate): belief(n, 8 * size) / rate for n, size, rate in told}
    return all(abs(told[key] - wanted[key]) <= _NEAR * abs(wanted[key]) for key in told)

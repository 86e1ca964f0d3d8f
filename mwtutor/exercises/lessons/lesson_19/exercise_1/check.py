"""19-1: the rate of a step."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

#: Base batch, batch, steps of the warm-up.
_CASES = ((32, 512, 20), (32, 48, 7), (100, 250, 1), (64, 64, 5), (64, 24, 10), (8, 72, 0))

#: Wrong rates, in units of the base rate, as functions of the step, the ratio of the batches and
#: the steps of the warm-up; and how they are described.
_WAYS = (
    (lambda step, ratio, warmup: 1.0, "is the base rate in all steps."),
    (lambda step, ratio, warmup: ratio, "is the full rate in all steps, without a warm-up."),
    (
        lambda step, ratio, warmup: _line(step, ratio, warmup, first=0.0),
        "follows a line that begins at 0.",
    ),
    (
        lambda step, ratio, warmup: _line(step, ratio**0.5, warmup),
        "scales with the square root of the ratio of the batches.",
    ),
    (
        lambda step, ratio, warmup: _line(step, float(ratio // 1), warmup),
        "scales with the whole number of times that the base batch fits into the batch.",
    ),
    (
        lambda step, ratio, warmup: (
            ratio if ratio <= 1 or not warmup else 1 + (ratio - 1) * step / warmup
        ),
        "still rises after the warm-up.",
    ),
    (
        lambda step, ratio, warmup: _line(step + 1, ratio, warmup),
        "is always one step ahead.",
    ),
    (
        lambda step, ratio, warmup: ratio if step >= warmup else 1 + (ratio - 1) * step / warmup,
        "changes during the warm-up for small batches, too.",
    ),
    (
        lambda step, ratio, warmup: _line(step, max(1.0, ratio), warmup),
        "is the base rate for small batches.",
    ),
)


def _line(step: int, ratio: float, warmup: int, first: float = 1.0) -> float:
    if ratio <= 1 or step >= warmup:
        return ratio
    return first + (ratio - first) * step / warmup


def check(work: Work) -> Verdict:
    function = work.value("rate")
    if not callable(function):
        return not_yet("There is no function `rate`.")
    asked: list[tuple[int, float, int]] = []
    given: list[float] = []
    problem = ""
    for base_batch, batch, warmup in _CASES:
        base_rate = float(np.random.default_rng().uniform(0.01, 0.2))
        near = {0, 1, warmup // 2, max(0, warmup - 1), warmup, warmup + 1, 3 * warmup}
        for step in (*sorted(near), 100_000):
            where = (
                f"In step {step}, with `warmup={warmup}`, {batch} rows and a base rate of"
                f" {base_rate:.3f} for {base_batch} rows:"
            )
            try:
                found = function(step, batch, base_rate, base_batch, warmup)
            except Exception as error:
                return wrong(f"{where} `rate` raises {type(error).__name__}: {error}")
            if found is None and not given:
                return not_yet("`rate` returns None.")
            value = as_array(found)
            if value is None or value.size != 1 or isinstance(found, (str, bytes)):
                return wrong(f"{where} `rate` does not return a number.")
            asked.append((step, batch / base_batch, warmup))
            given.append(float(value.item()) / base_rate)
            if not problem and not _same(given[-1], _line(*asked[-1])):
                problem = f"{where} the rate is {float(value.item()):.4g}, which is wrong."
    if not problem:
        return right("The rate is right for larger and smaller batches, with several warm-ups.")
    for way, words in _WAYS:
        if all(_same(one, way(*at)) for one, at in zip(given, asked, strict=True)):
            return wrong(f"{problem} The rate {words}")
    return wrong(problem)


def _same(one: Any, other: Any) -> bool:
    return bool(np.isclose(one, other, rtol=1e-5, atol=1e-9))

"""18-2: one forward, one backward."""

from __future__ import annotations

import random
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.pipeline_plans import Plan, all_forward, simulate

#: Stages and micro-batches.
_CASES = ((4, 8), (2, 4), (3, 5), (1, 3), (4, 4), (5, 2), (3, 1))


def check(work: Work) -> Verdict:
    function = work.value("order")
    if not callable(function):
        return not_yet("There is no function `order`.")
    more = [(random.randint(2, 7), random.randint(1, 20)) for _ in range(5)]
    for stages, count in (*_CASES, *more):
        where = f"With {stages} stage{'s' * (stages > 1)} and {count} micro-batch"
        where += "es:" if count > 1 else ":"
        try:
            found = [_as_list(function(stage, stages, count)) for stage in range(stages)]
        except Exception as error:
            return wrong(f"{where} `order` raises {type(error).__name__}: {error}")
        if all(one is None for one in found):
            return not_yet("`order` returns None.")
        for problem in (_passes, _hangs, _keeps, _length):
            if words := problem(found, count):
                return wrong(f"{where} {words}")
    return right(
        "In pipelines of all sizes, nothing hangs, and no stage keeps too many micro-batches."
    )


def _as_list(value: Any) -> Any:
    """The passes as text, from whatever can be iterated over; other values unchanged."""
    if value is None or isinstance(value, (str, bytes, dict)):
        return value
    try:
        return [str(one) if isinstance(one, str) else one for one in value]
    except TypeError:
        return value


def _passes(plan: list[Any], count: int) -> str:
    """What is wrong with the passes themselves; empty if nothing is."""
    wanted = [f"{what}{number}" for what in "FB" for number in range(count)]
    for stage, passes in enumerate(plan):
        if not isinstance(passes, list) or not all(isinstance(one, str) for one in passes):
            return f'the plan of stage {stage} is not a list such as ["F0", "B0"].'
        for one in passes:
            if one not in wanted:
                return f"stage {stage} does {one!r:.20}, and there is no such pass."
            if passes.count(one) > 1:
                return f"stage {stage} does {one} {passes.count(one)} times."
        for one in wanted:
            if one not in passes:
                return f"{one} of stage {stage} is missing."
        for what in "FB":
            some = [one for one in passes if one.startswith(what)]
            if some != [one for one in wanted if one.startswith(what)]:
                return f"stage {stage} does {' '.join(some)[:40]}, not in the order of the numbers."
        for number in range(count):
            if passes.index(f"B{number}") < passes.index(f"F{number}"):
                return f"stage {stage} does B{number} before F{number}."
    return ""


def _hangs(plan: Plan, _: int) -> str:
    waits = simulate(plan, 1, 2).waits
    if not waits:
        return ""
    listed = ", ".join(f"stage {stage} cannot begin {one}" for stage, one in waits.items())
    return f"the pipeline hangs: {listed}."


def _keeps(plan: Plan, _: int) -> str:
    for stage, passes in enumerate(plan):
        kept = most = 0
        for one in passes:
            kept += 1 if one.startswith("F") else -1
            most = max(most, kept)
        if most > len(plan) - stage:
            return (
                f"stage {stage} keeps {most} micro-batches at once, but may keep at most"
                f" {len(plan) - stage}."
            )
    return ""


def _length(plan: Plan, count: int) -> str:
    takes, best = (simulate(one, 1, 2).length for one in (plan, all_forward(len(plan), count)))
    if takes <= best:
        return ""
    return f"the pipeline takes {takes:.0f}. With all forward passes first, it takes {best:.0f}."

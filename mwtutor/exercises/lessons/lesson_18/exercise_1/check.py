"""18-1: the bubble of a plan."""

from __future__ import annotations

import math
from collections.abc import Callable

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.pipeline_plans import (
    Plan,
    all_forward,
    by_chance,
    one_by_one,
    one_f_one_b,
    simulate,
)

#: A plan, and how long a forward and a backward pass take.
_Case = tuple[Plan, float, float]


def check(work: Work) -> Verdict:
    function = work.value("bubble")
    if not callable(function):
        return not_yet("There is no function `bubble`.")
    problem = ""
    asked: list[_Case] = []
    given: list[float] = []
    for what, plan, forward, backward in _cases():
        copy = [list(passes) for passes in plan]
        try:
            found = function(copy, forward, backward)
        except Exception as error:
            return wrong(f"With {what}, `bubble` raises {type(error).__name__}: {error}")
        if found is None:
            return not_yet("`bubble` returns None.")
        where = f"With {what}, forward passes of {forward} and backward passes of {backward}:"
        try:
            value = float(found)
        except (TypeError, ValueError, OverflowError):
            return wrong(f"{where} what is returned is not a number.")
        asked.append((plan, forward, backward))
        given.append(value)
        if not problem and not _same(value, _idle(*asked[-1])):
            problem = f"{where} the bubble is not {value:.4g}."
    if not problem:
        return right("With plans of every kind, the result is the idle part of the time.")
    for way, words in _WAYS:
        if all(_same(value, way(*case)) for value, case in zip(given, asked, strict=True)):
            return wrong(f"{problem} {words}")
    return wrong(problem)


def _cases() -> list[tuple[str, Plan, float, float]]:
    """A description, the plan, and the times of its passes."""
    mixed = ["F0 F1 F2 B0 B1 B2", "F0 F1 B0 F2 B1 B2", "F0 B0 F1 F2 B1 B2"]
    return [
        (f"the plan {' / '.join(mixed)}", [passes.split() for passes in mixed], 1, 3),
        ("four stages and eight micro-batches, all forward first", all_forward(4, 8), 1, 2),
        ("four stages and eight micro-batches, 1F1B", one_f_one_b(4, 8), 20, 40),
        ("three stages, one micro-batch after the other", one_by_one(3, 5), 2, 3),
        ("one stage", all_forward(1, 3), 1, 2),
        *(
            (f"a random plan, number {at}", by_chance(2 + at, 5 + 3 * at), 1.5, 1 + at)
            for at in range(4)
        ),
    ]


def _same(one: float, other: float) -> bool:
    return math.isclose(one, other, abs_tol=1e-6)


def _busy(plan: Plan, forward: float, backward: float) -> float:
    return sum(forward if one.startswith("F") else backward for passes in plan for one in passes)


def _idle(plan: Plan, forward: float, backward: float, backward_waits: bool = True) -> float:
    length = simulate(plan, forward, backward, backward_waits).length
    return 1 - _busy(plan, forward, backward) / (len(plan) * length)


def _formula(plan: Plan, forward: float, backward: float) -> float:
    stages, count = len(plan), len(plan[0]) // 2
    return (stages - 1) / (count + stages - 1)


def _within(plan: Plan, forward: float, backward: float) -> float:
    """The bubble without the time of a stage before its first pass and after its last one."""
    simulated = simulate(plan, forward, backward)
    spans = sum(
        max(end for (stage, _), end in simulated.ends.items() if stage == at)
        - min(begin for (stage, _), begin in simulated.begins.items() if stage == at)
        for at in range(len(plan))
    )
    return 1 - _busy(plan, forward, backward) / spans


#: Wrong formulas, named only if they give the answers for all plans, and their descriptions.
_WAYS: tuple[tuple[Callable[..., float], str], ...] = (
    (_formula, "That is what the formula gives."),
    (_within, "That leaves out the time of a stage before its first pass and after its last one."),
    (
        lambda *case: _idle(*case) / (1 - _idle(*case)),
        "That is the idle time, divided by the busy time.",
    ),
    (lambda *case: 1 - _idle(*case), "That is the busy part."),
    (
        lambda plan, forward, backward: _idle(plan, forward, backward, backward_waits=False),
        "That would be right if backward passes did not wait for the stage after.",
    ),
    (
        lambda plan, *_: _idle(plan, 1, 1),
        "That would be right if forward and backward passes took the same time.",
    ),
)

"""18-1: the bubble of a plan."""

from __future__ import annotations

import math
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.pipeline_plans import (
    Plan,
    Simulated,
    all_forward,
    by_chance,
    one_by_one,
    one_f_one_b,
    simulate,
)


def check(work: Work) -> Verdict:
    function = work.value("bubble")
    if not callable(function):
        return not_yet("There is no function `bubble`.")
    for what, plan, forward, backward in _cases():
        copy = [list(passes) for passes in plan]
        try:
            found = function(copy, forward, backward)
        except Exception as error:
            return wrong(f"With {what}, `bubble` raises {type(error).__name__}: {error}")
        if found is None:
            return not_yet("`bubble` returns None.")
        if problem := _problem(found, plan, forward, backward):
            return wrong(
                f"With {what}, forward passes of {forward} and backward passes of {backward}:"
                f" {problem}"
            )
    return right("With plans of every kind, it is the idle part of the time.")


def _cases() -> list[tuple[str, Plan, float, float]]:
    """What it is, the plan, and the times of its passes."""
    mixed = ["F0 F1 F2 B0 B1 B2", "F0 F1 B0 F2 B1 B2", "F0 B0 F1 F2 B1 B2"]
    return [
        (f"the plan {' / '.join(mixed)}", [passes.split() for passes in mixed], 1, 3),
        ("four stages and eight micro-batches, all forward first", all_forward(4, 8), 1, 2),
        ("four stages and eight micro-batches, 1F1B", one_f_one_b(4, 8), 20, 40),
        ("three stages, one micro-batch after the other", one_by_one(3, 5), 2, 3),
        ("one stage", all_forward(1, 3), 1, 2),
        *((f"a plan by chance, number {at}", by_chance(2 + at, 5), 1.5, 1 + at) for at in range(4)),
    ]


def _problem(found: Any, plan: Plan, forward: float, backward: float) -> str:
    """What is wrong; empty if nothing is."""
    try:
        value = float(found)
    except (TypeError, ValueError, OverflowError):
        return "what is returned is not a number."
    busy = sum(forward if one.startswith("F") else backward for passes in plan for one in passes)

    def idle(simulated: Simulated) -> float:
        return 1 - busy / (len(plan) * simulated.length)

    simulated = simulate(plan, forward, backward)
    wanted = idle(simulated)
    if math.isclose(value, wanted, abs_tol=1e-6):
        return ""
    words = f"it is not {value:.4g}."
    stages, count = len(plan), len(plan[0]) // 2
    spans = sum(
        max(end for (stage, _), end in simulated.ends.items() if stage == at)
        - min(begin for (stage, _), begin in simulated.begins.items() if stage == at)
        for at in range(stages)
    )
    same = simulate(plan, 1, 1)
    for reason, other in (
        ("That is what the formula gives.", (stages - 1) / (count + stages - 1)),
        (
            "That leaves out the time of a stage before its first pass and after its last one.",
            1 - busy / spans,
        ),
        ("That is the idle time, divided by the busy time.", wanted / (1 - wanted)),
        ("That is the busy part.", 1 - wanted),
        (
            "That would be right if backward passes did not wait for the stage after.",
            idle(simulate(plan, forward, backward, backward_waits=False)),
        ),
        (
            "That would be right if forward and backward passes took the same time.",
            1 - sum(map(len, plan)) / (stages * same.length),
        ),
    ):
        if math.isclose(value, other, abs_tol=1e-6):
            return f"{words} {reason}"
    return words

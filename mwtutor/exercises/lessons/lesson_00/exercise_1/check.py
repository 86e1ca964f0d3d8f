"""00-1: the bytes that a worker sends."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: The arguments of the learner's functions: workers, and bytes of a model.
_SIZES = ((2, 1_000), (3, 6_000), (5, 10_000), (8, 8_000))

Formula = Callable[[int, int], float]

#: Common wrong formulas, and what each one counts.
_WORKER_0_MISTAKES: tuple[tuple[Formula, str], ...] = (
    (lambda n, m: m, "one copy of the sum, but worker 0 sends it to each of the others"),
    (lambda n, m: 2 * (n - 1) * m, "what worker 0 receives, too; the question is what it sends"),
    (lambda n, m: n * m, "a copy for worker 0 itself, which has the sum already"),
)
_RING_MISTAKES: tuple[tuple[Formula, str], ...] = (
    (lambda n, m: (n - 1) / n * m, "only the first round, after which each worker has one chunk"),
    (lambda n, m: 2 * m, "all chunks in each round, one step too many: count the steps above"),
    (lambda n, m: (n - 1) * m, "whole gradients, but what travels in a step is one chunk"),
    (lambda n, m: 2 * (n - 1) * m, "what all workers send together, or whole gradients in both"
     " rounds; the question is about one worker, which sends one chunk in a step"),
    (lambda n, m: 2 * m / n, "one step of each round, but more workers need more steps"),
    (lambda n, m: m / n, "one chunk, but a worker sends one in each step"),
    (lambda n, m: 4 * m / n, "four steps, as with three workers; the number of steps depends on"
     " the number of workers"),
)  # fmt: skip


def check(work: Work) -> Verdict:
    names = ("worker_0_bytes", "ring_bytes")
    functions = [work.value(name) for name in names]
    if missing := [name for name, value in zip(names, functions, strict=True) if value is None]:
        return not_yet(f"There is no {missing[0]} yet.")
    for name, function in zip(names, functions, strict=True):
        if problem := _trouble(name, function, *_SIZES[0]):
            return wrong(f"{problem}.")
    answers = [[function(*size) for size in _SIZES] for function in functions]
    if all(answer is None for answer in answers[0] + answers[1]):
        return not_yet("Both functions return None.")
    found = [
        _counted(names[0], answers[0], lambda n, m: (n - 1) * m, _WORKER_0_MISTAKES),
        _counted(names[1], answers[1], lambda n, m: 2 * (n - 1) / n * m, _RING_MISTAKES),
    ]
    if problems := [problem for problem in found if problem]:
        return wrong(" ".join(problems))
    workers, size = _SIZES[-1]
    return right(
        f"With {workers} workers and {size:,} bytes, worker 0 would send "
        f"{answers[0][-1]:,.0f} bytes, and each worker of a ring {answers[1][-1]:,.0f}."
    )


def _trouble(name: str, function: Any, *arguments: Any) -> str:
    """Why a call fails; empty if it works."""
    if not callable(function):
        return f"{name} is no longer a function"
    try:
        function(*arguments)
    except Exception as error:
        return f"{name}{arguments} raises {type(error).__name__}: {error}"
    return ""


def _counted(
    name: str, answers: list[Any], formula: Formula, mistakes: tuple[tuple[Formula, str], ...]
) -> str:
    """What is wrong with the answers of a function; empty if nothing is."""
    numbers = [_number(answer) for answer in answers]
    for (workers, size), answer, number in zip(_SIZES, answers, numbers, strict=True):
        if math.isnan(number):
            return f"{name}({workers}, {size}) returns {answer!r:.40}, not a number."
    if _fits(numbers, formula):
        return ""
    for mistake, counted in mistakes:
        if _fits(numbers, mistake):
            return f"{name} counts {counted}."
    pairs = zip(_SIZES, numbers, strict=True)
    (workers, size), number = next((s, n) for s, n in pairs if not math.isclose(n, formula(*s)))
    return (
        f"{name}({workers}, {size}) returns {number:.6g}, but that is not how many bytes are sent."
    )


def _number(answer: Any) -> float:
    try:
        return float(answer)
    except (TypeError, ValueError, OverflowError):
        return math.nan


def _fits(numbers: list[float], formula: Formula) -> bool:
    wanted = [formula(*size) for size in _SIZES]
    return all(math.isclose(a, b, rel_tol=0.001) for a, b in zip(numbers, wanted, strict=True))

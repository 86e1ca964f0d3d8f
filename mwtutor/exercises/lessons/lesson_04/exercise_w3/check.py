"""04-w3: a scope by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged

CASES = [
    (strategy, inner, fails)
    for strategy in ("mirrored", "one device")
    for inner in ("no inner scope", "central storage", "default", "mirrored")
    for fails in ("no error", "an error", "an error in the inner scope")
]


def _called(function: Callable[..., Any], case: Case) -> Any:
    """The current strategies that the code saw, what it returned, and the stack at the end."""
    strategy, inner, fails = case
    stack, seen = ["default"], []

    def look() -> None:
        seen.append(stack[-1] if stack else "none")

    def fail() -> None:
        look()
        raise _Failed

    def code() -> str:
        look()
        if inner != "no inner scope":
            function(stack, inner, fail if fails == "an error in the inner scope" else look)
            look()
        if fails != "no error":
            raise _Failed
        return "result"

    try:
        result = function(stack, strategy, code)
    except _Failed:
        result = "the error"
    if result is None and not seen:
        return None
    return {"seen": seen, "result": result, "stack": stack}


class _Failed(Exception):
    """An error in the learner's scope."""


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "in_scope",
        CASES,
        "The strategy is current inside the scope, even a nested one, and never afterward, even"
        " after an error.",
        _called,
    )

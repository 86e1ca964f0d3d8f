"""04-w2: push by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged, plain

_WORKERS: list[list[dict[str, int]]] = [[{}, {}], [{"batch": 9}, {"x": 1}, {}], [{}]]
CASES = [
    (name, value, workers)
    for name, value in (("batch", [[32], [7]]), ("rows", [[1, 2], []]))
    for workers in _WORKERS
]


def _called(function: Callable[..., Any], case: Case) -> Any:
    """All workers' variables, before and after the notebook and each worker change theirs."""
    name, value, workers = case
    pushed = function(name, value, workers)
    if pushed is None:
        return None
    before = plain(pushed)
    value.append(["changed in the notebook"])
    value[0].append("changed in the notebook")
    for worker, variables in enumerate(pushed if isinstance(pushed, (list, tuple)) else ()):
        own = variables.get(name) if isinstance(variables, dict) else None
        if isinstance(own, list) and own and isinstance(own[0], list):
            own[0].append(f"changed on worker {worker}")
    return {"pushed": before, "after changes": pushed}


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "push",
        CASES,
        "With 1 to 3 workers, each has its own copy, whatever the notebook and the others change.",
        _called,
    )

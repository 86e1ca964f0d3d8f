"""05-w7: no work for others."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work
from mwtutor.exercises.lessons.written_functions import Case, judged, plain

_ROWS = [4, 1, 8, 6, 3, 9, 12, 7, 0, 5, 11]
CASES = [
    (_ROWS[:rows], worker, workers)
    for rows in (4, 11, 6)
    for workers in (2, 3, 1)
    for worker in range(workers)
]


def _called(function: Callable[..., Any], case: Case) -> Any:
    """What the function gives, and for how many rows it calls ``work``."""
    rows, worker, workers = case
    worked: list[Any] = []

    def work(row: int) -> int:
        worked.append(row)
        return 3 * row

    given = plain(function(rows, work, worker, workers))
    return None if given is None else {"rows": given, "calls of work": len(worked)}


def check(work: Work) -> Verdict:
    return judged(
        work,
        __file__,
        "prepared",
        CASES,
        "With 1 to 3 workers, each prepares its own rows and no others.",
        _called,
    )

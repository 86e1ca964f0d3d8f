"""05-2: the rows of worker 1."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import islice
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)

_TRUTH = "eighteen"

SESSION = (_TRUTH,)
_POLICIES = ("OFF", "DATA", "FILE")

#: Rows, from 0 to 17, that learners may expect worker 1 to get, and what each answer shows.
_EXPECTED: Mapping[str, Sequence[tuple[Sequence[int], str]]] = {
    "OFF": (
        ((4, 5, 6, 7, 12, 13, 14, 15, 17), "OFF: worker 1 gets more than its part of each batch."),
        ((), "OFF: the data is not divided, but worker 1 reads rows."),
    ),
    "DATA": (
        (range(1, 18, 2), "DATA: single rows are not assigned in turn; each batch is cut in two."),
        (range(9, 18), "DATA: worker 1 gets the second half of each batch, not of all rows."),
        (
            (4, 5, 6, 7, 12, 13, 14, 15),
            "DATA: the last batch is not dropped, and you name none of its rows.",
        ),
    ),
    "FILE": (
        (range(9, 18), "FILE: a file is not cut in two."),
        (range(6, 18), "FILE: worker 1 does not get all files except the first."),
        (range(12, 18), "FILE: these are the rows of one file, but worker 1 reads another."),
    ),
}


def check(work: Work) -> Verdict:
    predicted = work.value("rows_of_worker_1")
    said = predicted if isinstance(predicted, Mapping) else {}
    if not any(said.get(policy) is not None for policy in _POLICIES):
        return not_yet("There is no prediction.")
    found = work.session[_TRUTH]
    truth = next((found[task] for task in found if str(task) == "worker:1"), None)
    if not isinstance(truth, dict) or set(truth) != set(_POLICIES):
        return not_yet("The workers have not read the rows yet.")
    for policy in _POLICIES:
        rows = _rows(said.get(policy))
        if rows is None:
            return wrong(f"{policy}: that is not a list of row numbers.")
        if rows != list(truth[policy]):
            return wrong(_why(policy, rows, list(truth[policy])))
    return right("These are the rows that worker 1 read, under each of the three policies.")


def _why(policy: str, rows: Sequence[int], truth: Sequence[int]) -> str:
    for expected, words in _EXPECTED[policy]:
        if list(rows) == list(expected):
            return words
    if sorted(rows) == sorted(truth):
        return f"{policy}: these are the right rows in the wrong order."
    return (
        f"{policy}: worker 1 reads {len(set(rows) & set(truth))} of the {len(rows)} rows that you"
        f" name, and {len(truth)} rows in all."
    )


def _rows(value: Any) -> list[int] | None:
    """The whole numbers in any iterable; None if it has something else."""
    if isinstance(value, str | bytes | Mapping):
        return None
    try:
        given = list(islice(sorted(value) if isinstance(value, set) else value, 1000))
        rows = [int(row) for row in given]
        return rows if all(row == one for row, one in zip(rows, given, strict=True)) else None
    except (TypeError, ValueError, OverflowError):
        return None

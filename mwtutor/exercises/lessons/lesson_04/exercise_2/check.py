"""04-2: the misplaced variable."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_COUNTED = "counted"
_VARIABLE = "type(rows_seen).__name__"
_COMBINED = "rows_seen.aggregation.name"

SESSION = (_COUNTED, _VARIABLE, _COMBINED)


def check(work: Work) -> Verdict:
    counted = each_worker(work, _COUNTED)
    kinds, combined = each_worker(work, _VARIABLE), each_worker(work, _COMBINED)
    if other := [kind for kind in kinds if "Variable" not in str(kind)]:
        return wrong(f"`rows_seen` is of type {other[0]}, not a variable: it cannot count.")
    if kinds and counted and all(one is None for one in counted):
        return wrong("With this definition, the cell below it does not finish.")
    if len(counted) < 2 or not all(isinstance(one, float) for one in counted):
        return not_yet("Nothing was counted.")
    first, second = counted[:2]
    if first == second == 15.0:
        return right("Both workers count all 15 rows.")
    seen = f"worker:0 counted {first:g} rows, worker:1 {second:g}."
    if first != second:
        return _own_counts(seen, kinds, combined)
    if first == 7.5:
        return wrong(f"{seen} That is the mean of the two counts, not their sum.")
    return wrong(f"{seen} Both should count 2 + 3 rows, three times.")


def _own_counts(seen: str, kinds: Sequence[Any], combined: Sequence[Any]) -> Verdict:
    if any("Mirrored" not in str(kind) for kind in kinds):
        if set(combined) == {"NONE"}:
            return not_yet(f"{seen} Each has its own variable.")
        return wrong(
            f"{seen} The variable has an aggregation, but it is a plain one: no strategy created"
            " it, so no strategy combines its values."
        )
    if "ONLY_FIRST_REPLICA" in combined:
        return wrong(
            f"{seen} Each worker counts only the value of the first of its own replicas: use this"
            " aggregation for values that are equal everywhere."
        )
    return wrong(
        f"{seen} The variable is mirrored, but has no aggregation: say how to combine the different"
        " values that the replicas add."
    )

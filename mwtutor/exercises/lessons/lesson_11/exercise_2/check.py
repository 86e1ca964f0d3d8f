"""11-2: each row once."""

from __future__ import annotations

from collections import Counter
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import of_chief

ROWS, BATCH = 96, 4
STEPS = ROWS // BATCH

_READ = "epoch_read"

#: How often the steps that ran on the workers read each row, by the workers' count.
_RAN = "rows_ran"

SESSION = (_READ, _RAN)


def check(work: Work) -> Verdict:
    steps = _steps(of_chief(work, _READ))
    if not steps:
        return not_yet("No step has read anything.")
    if any(len(rows) != BATCH for _, rows in steps):
        return wrong(f"A step did not take {BATCH} rows.")
    counts = Counter(row for _, rows in steps for row in rows)
    if set(counts) - set(range(ROWS)):
        return wrong(f"Some of the rows that were read are not among rows 0 to {ROWS - 1}.")
    ran = of_chief(work, _RAN)
    if not isinstance(ran, list) or not all(isinstance(one, int) for one in ran):
        return not_yet("Nothing was counted on the workers: run the cell below yours again.")
    if ran != [counts[row] for row in range(ROWS)]:
        return wrong(
            f"You return {len(steps)} steps. By the workers' own count, their steps read"
            f" {sum(ran)} rows, but not the ones that you return: return what `schedule` returned "
            "for the steps that ran."
        )
    never = ROWS - len(counts)
    if len({worker for worker, _ in steps}) < 2:
        return not_yet("One worker did all the steps: run the cell below yours again.")
    if len(steps) < STEPS:
        seen = (
            f"There were {len(steps)} steps, but an epoch has {STEPS}; {never} rows were never read"
        )
        if 2 * len(steps) > STEPS:
            return wrong(f"{seen}.")
        return wrong(f"{seen}: call `schedule` once for each step, whichever worker takes it.")
    if len(steps) > STEPS:
        return wrong(f"There were {len(steps)} steps, but an epoch has {STEPS}.")
    if not never:
        return right(f"Both workers worked, and each of the {ROWS} rows was read once.")
    return _of_data_sets(steps, never)


def _of_data_sets(steps: list[tuple[int, list[int]]], never: int) -> Verdict:
    """The verdict on workers that each have a dataset."""
    of: dict[int, Counter[int]] = {}
    for worker, rows in steps:
        of.setdefault(worker, Counter()).update(rows)
    made = [len(rows) for rows in of.values()]
    both = len(set.intersection(*(set(rows) for rows in of.values())))
    most = max(max(rows.values()) for rows in of.values())
    if not both and max(made) == ROWS // 2 and most == 2:
        counts = sorted((rows.total() // BATCH for rows in of.values()), reverse=True)
        return wrong(
            "No row was read by both workers. But steps go to whichever worker is free, here"
            f" {counts[0]} to one and {counts[1]} to the other: one read rows of its half twice,"
            f" and {never} rows of the other's half were never read."
        )
    if all(rows == Counter(range(rows.total())) for rows in of.values()):
        return not_yet(
            "Both workers began with the rows 0 to 3: some rows were read twice, and others never."
        )
    if most == 1:
        return wrong(
            f"No worker read a row twice, but {both} rows were read by both and {never} by neither:"
            " neither knows what the other reads."
        )
    return wrong(f"{never} rows were never read, and one was read {most} times by one worker.")


def _steps(value: Any) -> list[tuple[int, list[int]]]:
    if not isinstance(value, list):
        return []
    for step in value:
        if not isinstance(step, tuple) or len(step) != 2 or not isinstance(step[1], list):
            return []
        if not all(type(number) is int for number in (step[0], *step[1])):
            return []
    return value

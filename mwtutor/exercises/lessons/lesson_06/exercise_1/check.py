"""06-1: an evaluation that never runs out."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.lesson_06.exercise_2.check import ROWS

#: The batch size of the evaluation, and the number of epochs.
BATCH, TIMES = 64, 3

_SEEN = "seen"
_STEPS_TAKEN = "int(steps)"
#: A dataset of unknown size counts as endless if it has more batches than were evaluated.
_ENDLESS = (
    "int(validation.cardinality()) == -1 or int(validation.cardinality()) == -2"
    f" and sum(1 for _ in validation.take({TIMES} * int(steps) + 1)) > {TIMES} * int(steps)"
)

SESSION = (_SEEN, _STEPS_TAKEN, _ENDLESS)


def check(work: Work) -> Verdict:
    found = [work.session[_SEEN][task] for task in sorted(work.session[_SEEN], key=str)]
    evaluations = _evaluations(found)
    if not evaluations:
        return not_yet("Nothing has been evaluated.")
    counts = [[Counter(rows)[row] for row in range(ROWS)] for rows in evaluations]
    if len(counts) < TIMES:
        return wrong(
            f"The rows were evaluated in {len(counts)} of {TIMES} epochs: the data ran out."
        )
    steps = [taken for taken in work.session[_STEPS_TAKEN].values() if isinstance(taken, int)]
    for number, each in enumerate(counts):
        if words := _miscounted(each, steps[0] if steps and not number else 0):
            return wrong(words)
    if steps and min(steps) * BATCH < ROWS:
        return wrong(
            f"Each row was evaluated once in each epoch, in {min(steps)} steps: there are batches"
            f" of more than {BATCH} rows."
        )
    if True not in work.session[_ENDLESS].values():
        return wrong(
            "Each row was evaluated once in each epoch. But your dataset has an end, and only the"
            " number of steps keeps it from running out."
        )
    return right(
        f"Each of {TIMES} evaluations covered all {ROWS} rows exactly once, and the data cannot run"
        " out."
    )


def _miscounted(counts: Sequence[int], steps: int) -> str:
    """What is wrong with how often each row was evaluated in an epoch; empty if nothing is.

    Args:
        steps: those of the first epoch, whose data begin with row 0; 0 for any other epoch.
    """
    never = [row for row, count in enumerate(counts) if not count]
    often = [row for row, count in enumerate(counts) if count > 1]
    if len(often) == ROWS:
        seen = f"Every row was evaluated {min(counts)} times or more in an epoch."
        why = " A step takes a batch for all workers together." * (set(counts) == {2})
        return f"{seen} The accuracy does not show it.{why}"
    if never and often:
        seen = (
            f"In an epoch, {len(never)} of {ROWS} rows were never evaluated, and {len(often)} twice"
            " or more"
        )
        last = list(range(ROWS - ROWS % BATCH, ROWS))
        if steps and never == last and often == list(range(BATCH)):
            return (
                f"{seen}: the last batch of the data is missing, and the steps continued with the"
                " first."
            )
        return f"{seen}."
    if never:
        tail = steps and never == list(range(never[0], ROWS))
        why = ", the last ones of the data: the steps or the batches leave them out" * bool(tail)
        return f"In an epoch, {len(never)} of {ROWS} rows were never evaluated{why}."
    if often:
        why = ": one of your batches has rows from the end of the data and from the beginning"
        return (
            f"In an epoch, {len(often)} of {ROWS} rows were evaluated more than once"
            f"{why if _has_seam(counts, steps) else ''}."
        )
    return ""


def _has_seam(counts: Sequence[int], steps: int) -> bool:
    """Whether full batches of endlessly repeated rows explain these counts of a first epoch."""
    total = sum(counts)
    if not steps or total % steps or not ROWS % (total // steps):
        return False
    return all(count == 1 + (row < total - ROWS) for row, count in enumerate(counts))


def _evaluations(found: Sequence[Any]) -> list[list[int]]:
    """For each epoch, the rows that all workers together evaluated."""
    if len(found) < 2 or not all(isinstance(one, list) and one for one in found):
        return []
    rows = [[_rows(epoch) for epoch in one] for one in found]
    return [[row for part in epoch for row in part] for epoch in zip(*rows, strict=False)]


def _rows(epoch: Any) -> list[int]:
    return [row for row in epoch if isinstance(row, int)] if isinstance(epoch, list) else []

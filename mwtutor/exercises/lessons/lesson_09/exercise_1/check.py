"""09-1: rows that are read again."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)

#: Rows in the data and in a global batch; updates in a pass, in all, and before the backup.
ROWS, BATCH = 480, 8
PASS, UPDATES, SAVED = ROWS // BATCH, 2 * ROWS // BATCH, 40

_READ = "rows_read"

SESSION = (_READ,)

#: Other numbers of updates after which the program must continue.
ELSEWHERE = (7, 75)


def check(work: Work) -> Verdict:
    parts = [_parts(value) for value in work.session[_READ].values()]
    if len(parts) != 2 or any(one is None for one in parts):
        return not_yet("Nothing was read on the two workers.")
    whole, before, after = (
        [[*mine, *other] for mine, other in zip(*both, strict=True)]
        for both in zip(*parts, strict=True)
    )
    if any(len(step) != BATCH for step in chain(whole, before, after)):
        return wrong(f"In one of the updates, the two workers together did not take {BATCH} rows.")
    if any(not 0 <= row < ROWS for row in chain(*whole, *before, *after)):
        return wrong(f"Some of the rows that were read are not among rows 0 to {ROWS - 1}.")
    verdict = _judge_rows(_sets(whole), _sets(before), _sets(after))
    if verdict.status != "right":
        return verdict
    return _elsewhere(list(work.session[_READ].values()), _sets(whole)) or verdict


def _judge_rows(whole: list[Any], before: list[Any], after: list[Any]) -> Verdict:
    if before != whole[:SAVED]:
        return wrong(
            "Read twice from the beginning, the data came in two different orders, so you do not"
            " know which rows you skip."
        )
    counts = _counts([*before, *after])
    seen = f"In its two passes, training read {counts.count(2)} of the {ROWS} rows twice"
    if any(one != 2 for one in _counts(whole)):
        return wrong("Even without a fault, two passes do not read each row twice.")
    if whole[0] == _sets([list(range(BATCH))])[0]:
        return wrong("The rows come in order: they are no longer shuffled.")
    if all(step == tuple(range(step[0], step[0] + BATCH)) for step in whole):
        return wrong("Each batch has eight consecutive rows: only batches are shuffled.")
    start = whole.index(after[0]) if after[0] in whole else -1
    if start == 0:
        return not_yet(
            f"{seen}, and {counts.count(3)} three times: the second attempt read again what the"
            " first had read."
        )
    if start == SAVED // BATCH:
        return wrong(
            f"The second attempt began with the batch of update {start + 1}: {SAVED} rows were"
            f" skipped, not {SAVED} batches."
        )
    if start != SAVED:
        place = f"that of update {start + 1}" if start > 0 else "not one of the first attempt's"
        why = ": each update takes one global batch, whichever worker reads it"
        return wrong(
            f"{seen}. The first batch of the second attempt is {place}, and should be that of"
            f" update {SAVED + 1}{why if start in (SAVED // 2, 2 * SAVED) else ''}."
        )
    if any(one != 2 for one in counts):
        return wrong(
            f"{seen}. The second attempt began at the right place, but did not read a whole pass"
            " after that: are rows skipped in every pass?"
        )
    return right(f"Two passes, a fault in the first of them, and all {ROWS} rows were read twice.")


def _elsewhere(found: Sequence[Any], whole: list[Any]) -> Verdict | None:
    """What is wrong after a number of updates that differs from the backup's."""
    for updates in ELSEWHERE:
        try:
            steps = zip(*(value["elsewhere"][updates] for value in found), strict=True)
            read = _sets([[*mine, *other] for mine, other in steps])
        except (KeyError, TypeError, ValueError):
            return not_yet(
                "`batches` was not tried after other numbers of updates: run the cell below yours."
            )
        if read != whole[updates : updates + len(read)] or not read:
            return wrong(
                f"After {SAVED} updates the second attempt continues at the right place. After"
                f" {updates} it would not: the next batch is not the one of update {updates + 1}."
            )
    return None


def _parts(value: Any) -> tuple[list[list[int]], ...] | None:
    """What a worker read: without a fault, before the fault, after it; a list for each step."""
    if not isinstance(value, dict):
        return None
    found = [value.get(name) for name in ("whole", "before", "after")]
    lengths = (UPDATES, SAVED, UPDATES - SAVED)
    for steps, length in zip(found, lengths, strict=True):
        if not isinstance(steps, list) or len(steps) != length:
            return None
        if not all(isinstance(step, list) for step in steps):
            return None
        if not all(type(row) is int for step in steps for row in step):
            return None
    return tuple(found)  # type: ignore[arg-type]  # just looked at


def _sets(steps: Sequence[Sequence[int]]) -> list[tuple[int, ...]]:
    """The rows of each step, whichever worker read them."""
    return [tuple(sorted(step)) for step in steps]


def _counts(steps: Sequence[Sequence[int]]) -> list[int]:
    counts = [0] * ROWS
    for row in chain(*steps):
        counts[row] += 1
    return counts

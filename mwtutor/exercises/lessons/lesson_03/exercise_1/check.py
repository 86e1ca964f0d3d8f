"""03-1: a batch for three workers."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: Rows of the lesson's data, and how many a replica must get in a step.
ROWS = 1344
EACH = 32

SESSION = ("taken",)


def check(work: Work) -> Verdict:
    chosen = (work.value("global_batch"), work.value("steps_per_epoch"))
    if any(value is None for value in chosen):
        return not_yet()
    if not all(map(_is_count, chosen)):
        return wrong("`global_batch` and `steps_per_epoch` must be whole numbers above 0.")
    taken = [value for value in work.session.get("taken", {}).values() if isinstance(value, dict)]
    if not taken or any(one.get("chosen") != list(chosen) for one in taken):
        return not_yet("Nothing was trained with these numbers: execute the cells in between.")
    sizes = [max(map(len, one["rows"]), default=0) for one in taken]
    counts = np.bincount([row for one in taken for step in one["rows"] for row in step])
    counts = np.pad(counts, (0, max(0, ROWS - len(counts))))
    if set(sizes) != {EACH}:
        return wrong(
            f"The replicas got {listed(sizes)} rows in a step: the batch of the dataset is divided"
            " among them."
        )
    if counts.max() > 1:
        return wrong(
            f"{int((counts > 1).sum())} of the {ROWS} rows were seen more than once, up to"
            f" {counts.max()} times in the epoch. All replicas together took {counts.sum()} rows."
        )
    if unseen := int((counts == 0).sum()):
        shared = chosen[1] == ROWS // (3 * EACH) // 3
        why = " Every replica takes part in every step; the steps are not divided up." * shared
        return wrong(f"{unseen} of the {ROWS} rows were never seen.{why}")
    return right(f"Each replica got {EACH} rows in each step, and each row was seen once.")


def _is_count(value: Any) -> bool:
    """Whether it is a whole number above 0, of Python or of NumPy."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and bool(value > 0)


def listed(numbers: list[int]) -> str:
    """The numbers in words, `1, 2 and 3`."""
    return " and ".join(filter(None, [", ".join(map(str, numbers[:-1])), str(numbers[-1])]))

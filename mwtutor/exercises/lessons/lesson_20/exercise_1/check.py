"""20-1: the rows of a worker in the next step."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.row_lists import as_rows

#: Rows of the epoch, rows done, batch, workers.
_CASES = (
    (40, 0, 12, 2),
    (40, 12, 12, 1),
    (40, 17, 10, 3),
    (41, 36, 8, 4),
    (23, 20, 6, 4),
    (30, 30, 6, 2),
    (64, 24, 9, 2),
)


def check(work: Work) -> Verdict:
    function = work.value("share")
    if not callable(function):
        return not_yet("There is no function `share`.")
    for first, case in enumerate(_CASES):
        rows, done, batch, workers = case
        order = (np.random.default_rng().permutation(rows) + 1000).tolist()
        given = list(order)
        size = f"{workers} worker{'s' * (workers != 1)}"
        where = f"With {rows} rows, {done} done, a batch of {batch} and {size}:"
        parts: list[list[int]] = []
        for worker in range(workers):
            try:
                found = function(given, done, batch, worker, workers)
            except Exception as error:
                return wrong(f"{where} `share` raises {type(error).__name__}: {error}")
            if found is None and not first and not worker:
                return not_yet("`share` returns None.")
            part = as_rows(found)
            if given != order:
                return wrong(f"{where} `share` changes `order`, which the next step needs, too.")
            if part is None:
                return wrong(f"{where} `share` does not return a list of rows for worker {worker}.")
            parts.append(part)
        if problem := _fault(parts, order, done, batch):
            return wrong(f"{where} {problem}")
    return right("`share` is right for up to 4 workers, uneven batches, and the end of an epoch.")


def _fault(parts: list[list[int]], order: list[Any], done: int, batch: int) -> str:
    read = Counter(row for part in parts for row in part)
    wanted, before = order[done : done + batch], set(order[:done])
    if doubled := sum(times > 1 for times in read.values()):
        return f"rows that belong to several workers, or to one of them twice: {doubled}."
    if strange := len(read.keys() - set(order)):
        return f"returned numbers that are not rows of `order`: {strange}."
    if again := len(before & read.keys()):
        return f"returned rows that were done before: {again}."
    if len(read) == len(parts) * batch > len(wanted):
        return f"all workers together have {len(parts)} times as many rows as the batch."
    if missing := len(set(wanted) - read.keys()):
        verb = "belongs" if missing == 1 else "belong"
        return f"of the next {len(wanted)} rows, {missing} {verb} to no worker."
    if more := len(read.keys() - set(wanted)):
        return f"returned rows that are not among the next {len(wanted)}: {more}."
    sizes = sorted(map(len, parts))
    if sizes[-1] - sizes[0] > 1:
        return f"the workers' numbers of rows, {sizes}, differ by more than 1."
    return ""

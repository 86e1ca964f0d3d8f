"""15-2: the mean of uneven rows."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_threads import Meetings, Stuck
from mwtutor.exercises.lessons.worker_values import as_array

#: The rows of each worker.
_CASES = ((6, 2), (4, 4), (5, 0, 3), (0, 7), (1, 2, 3, 4), (9,))


def check(work: Work) -> Verdict:
    function = work.value("mean_gradient")
    if not callable(function):
        return not_yet("There is no function `mean_gradient`.")
    random = np.random.default_rng()
    for counts in _CASES:
        rows = [random.normal(size=(count, 5)) for count in counts]
        meetings = Meetings(len(counts))

        def on_worker(me: int, own: Any = rows, meet: Meetings = meetings) -> Any:
            count = len(own[me])
            mean = own[me].mean(axis=0) if count else np.full(5, np.nan)
            return function(mean, count, lambda vector: meet.all_reduce(me, vector))

        found = meetings.run(on_worker)
        if all(one is None for one in found) and not any(meetings.given):
            return not_yet("`mean_gradient` returns None.")
        if problem := _problem(found, rows, [len(given) for given in meetings.given]):
            listed = ", ".join(map(str, counts))
            return wrong(f"With {listed} rows on the workers: {problem}")
    return right("With up to four workers, some without rows, each row counts the same.")


def _problem(found: list[Any], rows: list[Any], exchanges: list[int]) -> str:
    """What is wrong; empty if nothing is."""
    for me, one in enumerate(found):
        if isinstance(one, Exception) and not isinstance(one, Stuck):
            return f"`mean_gradient` raises {type(one).__name__} on worker {me}: {one}"
    if len(set(exchanges)) > 1:
        most, least = exchanges.index(max(exchanges)), exchanges.index(min(exchanges))
        return (
            "the workers made different numbers of `all_reduce` calls:"
            f" {exchanges[least]} on worker {least}, and {exchanges[most]} on worker {most}, which"
            " waits."
        )
    everything = np.concatenate(rows)
    mean = everything.mean(axis=0)
    for me, one in enumerate(found):
        array = as_array(one)
        if array is None or array.shape != mean.shape:
            return f"worker {me} does not return a vector of the gradient's length."
        if np.isnan(array).any():
            return f"the result of worker {me} is NaN."
        if not np.allclose(array, mean):
            return f"the result of worker {me} {_what(array, rows, me)}"
    return ""


def _what(array: Any, rows: list[Any], me: int) -> str:
    """What a wrong result is, if it can be reproduced."""
    everything, some = np.concatenate(rows), [one for one in rows if len(one)]
    if np.allclose(array, everything.sum(axis=0)):
        return "is the sum over all rows, not the mean."
    if np.allclose(array, np.mean([one.mean(axis=0) for one in some], axis=0)):
        return "is the mean of the workers' means: each worker counts the same, not each row."
    if len(rows[me]) and np.allclose(array, rows[me].mean(axis=0)):
        return "is the mean of its own rows only."
    return "is not the mean over all rows."

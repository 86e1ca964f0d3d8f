"""09-w8: all read, one writes."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_threads import Meetings, Stuck
from mwtutor.exercises.lessons.worker_values import as_array


def check(work: Work) -> Verdict:
    function = work.value("save")
    if not callable(function):
        return not_yet("There is no function `save`.")
    random = np.random.default_rng()
    for workers in (2, 3, 4):
        parts = random.integers(1, 100, workers)
        meetings = Meetings(workers)
        written: list[tuple[int, Any]] = []

        def on_worker(me: int, own: Any = parts, meet: Any = meetings, to: Any = written) -> Any:
            def read() -> float:
                return float(meet.all_reduce(me, own[me]))

            return function(me, read, lambda value: to.append((me, value)))

        found = meetings.run(on_worker)
        if not written and not any(meetings.given):
            return not_yet("`save` reads and writes nothing.")
        calls = [len(given) for given in meetings.given]
        if problem := _problem(found, written, calls, float(parts.sum())):
            return wrong(f"With {workers} workers: {problem}")
    return right("With two to four workers, the file is written once, with the sum.")


def _problem(
    found: list[Any], written: list[tuple[int, Any]], calls: list[int], total: float
) -> str:
    """What is wrong, in a sentence; empty if nothing is."""
    for me, one in enumerate(found):
        if isinstance(one, Exception) and not isinstance(one, Stuck):
            return f"`save` raises {type(one).__name__} on worker {me}: {one}"
    stuck = [me for me, one in enumerate(found) if isinstance(one, Stuck)]
    if stuck and calls[stuck[0]] > 1:
        return f"worker {stuck[0]} calls `read` more often than the others, and waits for them."
    if stuck:
        return f"worker {stuck[0]} waits in `read` for workers that do not call it."
    if len(written) != 1:
        return f"the number of writes to the shared file is {len(written)}, not 1."
    (me, value), *_ = written
    if me != 0:
        return f"worker {me} writes, instead of worker 0, the chief."
    array = as_array(value)
    if array is None or array.shape or not np.isclose(array, total):
        return f"the file contains {value!r:.40}, but the sum is {total:g}."
    return ""

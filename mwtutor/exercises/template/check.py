"""The rows that the learner's function assigns to 1, 2 and 3 workers."""

from collections import Counter

from mwtutor.exercises import Verdict, Work, not_yet, right, wrong


def check(work: Work) -> Verdict:
    share = work.value("share")
    if not callable(share):
        return not_yet("There is no function `share`.")
    for workers in (2, 3, 1):
        rows = list(range(10))
        shares = [share(rows, worker, workers) for worker in range(workers)]
        if all(one is None for one in shares):
            return not_yet("`share` returns None.")
        if not all(isinstance(one, (list, tuple)) for one in shares):
            return wrong("`share` must return a list of rows for each worker.")
        times = Counter(row for one in shares for row in one)
        if strange := [row for row in times if row not in rows]:
            return wrong(
                f"With {workers} workers, a share contains {strange[0]!r:.40}, which is not a row."
            )
        if missing := [row for row in rows if row not in times]:
            return wrong(f"With {workers} workers, no worker takes row {missing[0]} of 10.")
        if doubled := [row for row in rows if times[row] > 1]:
            row = doubled[0]
            return wrong(f"With {workers} workers, row {row} is taken {times[row]} times.")
    return right("With 1, 2 and 3 workers, each row is taken once.")

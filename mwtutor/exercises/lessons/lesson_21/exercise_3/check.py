"""21-3: data that run out."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.job_notes import Key, Worker, both_workers, mixed, parts


def check(work: Work) -> Verdict:
    found = both_workers(work, "ends.py")
    if isinstance(found, Verdict):
        return found
    if words := mixed(*found):
        return not_yet(words)
    first, second = found
    if not first.drawn or not second.drawn:
        return wrong("Not both workers took rows of `job.rows`.")
    wanted = first.drawn.keys() | second.drawn.keys()
    for key in sorted(wanted | first.sums.keys() | second.sums.keys()):
        if verdict := _judged(key, found):
            return verdict
    if first.exchanges < len(wanted):
        return wrong(f"The ledgers have {first.exchanges} exchanges, for {len(wanted)} sums.")
    return right(
        f"Both workers noted the same {len(wanted)} sums, in which every row is once, and ended"
        f" after {first.exchanges} exchanges each."
    )


def _judged(key: Key, found: tuple[Worker, Worker]) -> Verdict | None:
    epoch, number = key
    total = sum(one.drawn.get(key, 0) for one in found)
    sums = [one.sums.get(key) for one in found]
    having = [index for index, one in enumerate(found) if key in one.drawn]
    if not having:
        return wrong(f"In {epoch}, a worker noted a sum {number}, which has no row of either.")
    if sums == [total, total]:
        return None
    if sums == [None, None]:
        return wrong(f"In {epoch}, row {number} of worker:{having[0]} is in no sum.")
    if None in sums:
        return wrong(f"worker:{sums.index(None)} took no sum of row {number} in {epoch}.")
    for index, (one, part) in enumerate(zip(found, parts(sums[0] or 0), strict=True)):
        other = one.key_of(part)
        if other not in (None, key):
            return wrong(
                f"In {epoch}, the sum of row {number} has row {other[1]} of worker:{index} a"
                " second time."
            )
    return wrong(f"In {epoch}, the sums of row {number} are {sums[0]} and {sums[1]}, not {total}.")

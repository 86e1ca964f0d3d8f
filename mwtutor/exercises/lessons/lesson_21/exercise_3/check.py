"""21-3: data that run out."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.job_notes import Key, Worker, both_workers, mixed, parts

#: Which worker has each row, as `job.py` shares them out.
ROWS: dict[Key, tuple[int, ...]] = {
    (f"epoch {epoch}", number): tuple(index for index in range(2) if number < counts[index])
    for epoch, counts in enumerate(((5, 3), (2, 4)))
    for number in range(max(counts))
}


def check(work: Work) -> Verdict:
    found = both_workers(work, "ends.py")
    if isinstance(found, Verdict):
        return found
    if words := mixed(*found):
        return not_yet(words)
    first, second = found
    for key in sorted(ROWS.keys() | first.sums.keys() | second.sums.keys()):
        if verdict := _judged(key, found):
            return verdict
    return right(
        f"Both workers noted the same {len(ROWS)} sums, in which every row is once. Exchanges:"
        f" {first.exchanges}."
    )


def _judged(key: Key, found: tuple[Worker, Worker]) -> Verdict | None:
    epoch, number = key
    total = sum(one.drawn.get(key, 0) for one in found)
    sums = [one.sums.get(key) for one in found]
    having = ROWS.get(key, ())
    if not having:
        return wrong(f"In {epoch}, a worker noted a sum {number}, but neither has such a row.")
    lost = [index for index in having if key not in found[index].drawn or sums == [None, None]]
    if lost:
        return wrong(f"In {epoch}, row {number} of worker:{lost[0]} is in no sum.")
    if sums == [total, total]:
        return None
    if None in sums:
        return wrong(f"worker:{sums.index(None)} noted no sum of row {number} in {epoch}.")
    for index, (one, part) in enumerate(zip(found, parts(sums[0] or 0), strict=True)):
        other = one.key_of(part)
        if other not in (None, key):
            return wrong(
                f"In {epoch}, the sum of row {number} has row {other[1]} of worker:{index} a"
                " second time."
            )
    return wrong(f"In {epoch}, the sums of row {number} are {sums[0]} and {sums[1]}, not {total}.")

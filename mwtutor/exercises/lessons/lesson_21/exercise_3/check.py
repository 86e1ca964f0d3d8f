"""21-3: data that run out."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.job_notes import Key, Worker, both_workers, mixed, parts

#: A repaired program makes fewer exchanges than this for each sum.
_MANY = 5


def check(work: Work) -> Verdict:
    found = both_workers(work, "ends.py")
    if isinstance(found, Verdict):
        return found
    if words := mixed(*found):
        return not_yet(words)
    first, second = found
    rows: dict[Key, list[int]] = {
        (f"epoch {epoch}", number): [index for index in range(2) if number < counts[index]]
        for epoch, counts in enumerate(zip(first.rows, second.rows, strict=False))
        for number in range(max(counts))
    }
    for key in sorted(rows.keys() | first.sums.keys() | second.sums.keys()):
        if verdict := _judged(key, found, rows.get(key, [])):
            return verdict
    if first.exchanges > _MANY * (len(rows) + 2):
        return wrong(
            f"All {len(rows)} sums are right, but {first.exchanges} exchanges are too many: an"
            " epoch ends when no worker has another row."
        )
    return right(
        f"Both workers noted the same {len(rows)} sums, which contain every row once. Exchanges:"
        f" {first.exchanges}."
    )


def _judged(key: Key, found: tuple[Worker, Worker], having: list[int]) -> Verdict | None:
    """The fault in the sum of a row that the workers in ``having`` have; None if there is none."""
    epoch, number = key
    total = sum(one.drawn.get(key, 0) for one in found)
    sums = [one.sums.get(key) for one in found]
    if not having:
        return wrong(f"In {epoch}, a worker noted sum {number}, but neither worker has that row.")
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
                f"In {epoch}, the sum of row {number} includes row {other[1]} of worker:{index}"
                " a second time."
            )
    return wrong(f"In {epoch}, the sums of row {number} are {sums[0]} and {sums[1]}, not {total}.")

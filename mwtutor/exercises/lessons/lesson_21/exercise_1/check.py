"""21-1: a row that cannot be read."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.job_notes import both_workers, mixed, parts

STEPS = 6

#: By step, the worker that cannot read its row.
_UNREADABLE = {2: 1, 4: 0}


def check(work: Work) -> Verdict:
    found = both_workers(work, "reads.py")
    if isinstance(found, Verdict):
        return found
    if words := mixed(*found):
        return not_yet(words)
    first, second = found
    for key in (("row", step) for step in range(STEPS)):
        step = key[1]
        wanted = first.drawn.get(key, 0) + second.drawn.get(key, 0)
        sums = [one.sums.get(key) for one in found]
        if step in _UNREADABLE and key in found[_UNREADABLE[step]].drawn:
            worker = f"worker:{_UNREADABLE[step]}"
            return wrong(f"{worker} drew a row of step {step}, which it cannot read.")
        if sums == [wanted, wanted]:
            continue
        if sums == [None, None]:
            able = [index for index, one in enumerate(found) if key in one.drawn]
            if not able:
                return wrong(f"Neither worker took its row of step {step}.")
            return wrong(f"The row of worker:{able[0]} in step {step} is in no sum.")
        if None in sums:
            return wrong(f"worker:{sums.index(None)} noted no sum of step {step}.")
        for index, (one, number) in enumerate(zip(found, parts(sums[0] or 0), strict=True)):
            other = one.key_of(number)
            if other not in (None, key):
                return wrong(
                    f"The sum of step {step} includes the row of worker:{index} from step"
                    f" {other[1]} a second time."
                )
        return wrong(f"The sums of step {step} are {sums[0]} and {sums[1]}, not {wanted}.")
    return right(
        "Both workers noted the same sums, and each sum has the rows that could be read in its"
        f" step. Exchanges: {first.exchanges}."
    )

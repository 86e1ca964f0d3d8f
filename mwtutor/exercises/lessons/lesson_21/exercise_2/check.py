"""21-2: the chief reports."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.job_notes import Key, Worker, both_workers, mixed

STEPS = 6

#: What only one of the workers notes, and which one.
ALONE: dict[Key, int] = {
    ("loss" if step % 2 == 0 else "count", step): step % 2 for step in range(STEPS)
}

_EXPECTED = ALONE.keys() | {("gradient", step) for step in range(STEPS)}


def check(work: Work) -> Verdict:
    found = both_workers(work, "report.py")
    if isinstance(found, Verdict):
        return found
    if words := mixed(*found):
        return not_yet(words)
    return _gradients(found) or _alone(found)


def _gradients(found: tuple[Worker, Worker]) -> Verdict | None:
    for key in (("gradient", step) for step in range(STEPS)):
        wanted = sum(one.drawn.get(key, 0) for one in found)
        for index, one in enumerate(found):
            if key not in one.drawn or key not in one.sums:
                did = "noted no sum of gradients in" if key in one.drawn else "took no gradient of"
                return wrong(f"worker:{index} {did} step {key[1]}.")
        noted = " and ".join(str(one.sums[key]) for one in found)
        if any(one.sums[key] != wanted for one in found):
            return wrong(
                f"The gradients of step {key[1]} add up to {wanted}; the workers noted {noted}."
            )
    return None


def _alone(found: tuple[Worker, Worker]) -> Verdict:
    if unexpected := (found[0].sums.keys() | found[1].sums.keys()) - _EXPECTED:
        kind, step = min(unexpected)
        return wrong(f"The {kind} was noted after step {step}, too.")
    for (kind, step), index in ALONE.items():
        key, other = (kind, step), 1 - index
        if key in found[other].sums:
            who = "Both workers note" if key in found[index].sums else f"worker:{other} notes"
            return wrong(f"{who} the {kind} of step {step}.")
        if key not in found[index].sums:
            return wrong(f"worker:{index} notes no {kind} of step {step}.")
        noted, own = found[index].sums[key], found[index].drawn.get(key, 0)
        if noted == own:
            return wrong(
                f"The {kind} of step {step} is that of worker:{index} alone, after"
                f" {found[0].exchanges} exchanges in all."
            )
        if noted != own + found[other].drawn.get(key, 0):
            return wrong(f"The {kind} of step {step} is {noted}, not the sum over both workers.")
    return right(
        "Every number is the sum over both workers, noted by the worker that reports it."
        f" Exchanges: {found[0].exchanges}."
    )

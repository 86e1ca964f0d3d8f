"""03-3: the worker that is slow."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.run.run import Run

_PARTS = {
    "step": "whole",
    "before": "between",
    "computing": "computing",
    "waiting": "waiting",
    "rest": "rest",
}


def check(work: Work) -> Verdict:
    slowest, run = work.value("slowest"), work.run("mystery")
    if not callable(slowest):
        return not_yet()
    if run is None or run.outcome is None or not run.outcome.ok:
        return not_yet("mystery.py has not finished.")
    times, culprit = _times(run), f"worker:{(run.spec.request.env or {}).get('CULPRIT')}"
    if culprit not in times:
        return not_yet("The run recorded no steps of the slow worker: launch mystery.py again.")
    named = slowest(_copy(times))
    if named is None:
        return not_yet()
    if not isinstance(named, str) or named not in times:
        return wrong(f"slowest(times) is {named!r:.60}, which is not one of {', '.join(times)}.")
    if _goes_by(slowest, times, "step"):
        lengths = [f"{row['step']:.0f}" for row in times.values()]
        return wrong(
            f"You compare the lengths of the steps: {', '.join(lengths)} ms. In synchronous"
            " training, all steps are equally long, and the differences are chance."
        )
    if _goes_by(slowest, times, "waiting"):
        return wrong(
            f"You name the worker that waits longest, {named}, which waits"
            f" {times[named]['waiting']:.0f} ms in each step. A worker that waits is ready."
        )
    if named != culprit:
        return wrong(f"You name {named}, but {culprit} is slow.")
    return _elsewhere(slowest, times, culprit)


def _goes_by(slowest: Any, times: Mapping[str, Any], part: str) -> bool:
    """Whether `slowest` names the worker with the most of that part, all else being equal."""
    most = max(row[part] for row in times.values())
    for task in times:
        changed = _copy(times)
        changed[task][part] = most + 1
        if slowest(changed) != task:
            return False
    return True


def _times(run: Run) -> dict[str, dict[str, float]]:
    """The typical milliseconds of a step, as the notebook computes them."""
    steps = run.timeline().steps
    if steps is None:
        return {}
    return {
        str(task): {part: 1000 * steps.typical(task, name) for part, name in _PARTS.items()}
        for task in steps.of
    }


def _elsewhere(slowest: Any, times: Mapping[str, Any], culprit: str) -> Verdict:
    """Judge the same run as if another worker were slow, or were slow in another way."""
    tasks = list(times)
    for other in tasks:
        swapped = {culprit: other, other: culprit}
        moved = {task: dict(times[swapped.get(task, task)]) for task in tasks}
        if slowest(_copy(moved)) != other:
            return wrong(
                f"With the numbers of {culprit} and {other} exchanged, you name"
                f" {slowest(_copy(moved))!r:.60}, which is then not the slow one."
            )
        for part, none in (("before", "computing"), ("computing", "before")):
            changed = _copy(moved)
            changed[other][part] += changed[other][none]
            changed[other][none] = 0.0
            if slowest(_copy(changed)) != other:
                return wrong(
                    f"If {other} needs {changed[other][part]:.0f} ms of each step for `{part}`, and"
                    f" none for `{none}`, you do not name it. A worker may be slow in either part."
                )
    for made_up, other in _made_up():
        if slowest(_copy(made_up)) != other:
            row = made_up[other]
            return wrong(
                f"Suppose that {len(made_up)} workers train, {other} needs {row['before']:g} ms of"
                f" each step for `before` and {row['computing']:g} ms for `computing`, and no other"
                f" needs as much for the two together. Then you name"
                f" {slowest(_copy(made_up))!r:.60}."
            )
    return right(f"It was {culprit}: it hardly waits, and the others wait for it.")


#: Each worker's milliseconds for `before` and `computing`; the first holds up the others.
_OWN = (
    ((22.0, 22.0), (30.0, 5.0), (5.0, 30.0)),
    ((0.2, 0.3), (0.1, 0.1)),
    ((400.0, 100.0), (100.0, 200.0), (200.0, 100.0), (90.0, 90.0), (10.0, 300.0)),
)


def _made_up() -> Iterator[tuple[dict[str, dict[str, float]], str]]:
    """Runs with other numbers of workers and other lengths, and the slow worker of each."""
    for own in _OWN:
        longest = sum(own[0])
        for first in range(len(own)):
            times = {}
            for place, (before, computing) in enumerate(own):
                times[f"worker:{(first + place) % len(own)}"] = {
                    "step": 1.2 * longest,
                    "before": before,
                    "computing": computing,
                    "waiting": 1.1 * longest - before - computing,
                    "rest": 0.1 * longest,
                }
            yield dict(sorted(times.items())), f"worker:{first}"


def _copy(times: Mapping[str, Any]) -> dict[str, Any]:
    return {task: dict(row) for task, row in times.items()}

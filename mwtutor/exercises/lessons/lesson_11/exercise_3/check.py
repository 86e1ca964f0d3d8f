"""11-3: not too stale."""

from __future__ import annotations

from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import of_chief

TRAINED, BOUND = 20, 4

_TRAINED = "trained"

SESSION = (_TRAINED,)


def check(work: Work) -> Verdict:
    found = of_chief(work, _TRAINED)
    if not isinstance(found, dict) or not _is_triples(found.get("steps")):
        return not_yet("Nothing was trained.")
    steps, versions = found["steps"], found.get("versions")
    missed = [made - 1 - read for _, read, made in steps]
    if not steps or versions is None:
        return not_yet("Nothing was trained.")
    if len(steps) != TRAINED or versions != TRAINED:
        counted = f"You return {len(steps)} steps, and {versions} updates were applied"
        if versions != TRAINED or len(steps) > TRAINED:
            return wrong(f"{counted}; both should be {TRAINED}.")
        return wrong(f"{counted}: a step that is not in the list changed the variables anyway.")
    if len({worker for worker, *_ in steps}) < 2:
        return not_yet("One worker did all the steps: run the cell below yours again.")
    if max(missed) == 0:
        return wrong(
            "No gradient missed an update, because no two steps overlapped: one of the workers was"
            " always idle."
        )
    if max(missed) > 9:
        return not_yet(f"A gradient missed more than twice the allowed {BOUND} updates.")
    if max(missed) > BOUND:
        return wrong(f"A gradient missed {max(missed)} updates, but at most {BOUND} are allowed.")
    if found.get("of 7") != [7, 7]:
        made, applied = _pair(found.get("of 7"))
        return wrong(
            f"`train_bounded({TRAINED})` is right. `train_bounded(7)` returns {made} steps, and"
            f" {applied} updates were applied."
        )
    return right(
        f"{TRAINED} steps on both workers at the same time, and each gradient missed at most"
        f" {max(missed)} of {BOUND} allowed updates."
    )


def _pair(value: Any) -> tuple[Any, Any]:
    return (value[0], value[1]) if isinstance(value, list) and len(value) == 2 else ("no", "no")


def _is_triples(value: Any) -> bool:
    return isinstance(value, list) and all(
        isinstance(one, list) and len(one) == 3 and all(type(number) is int for number in one)
        for one in value
    )

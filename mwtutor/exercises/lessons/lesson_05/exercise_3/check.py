"""05-3: feed each replica by hand."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from itertools import chain
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)

_REPLICAS, _SHARE = 4, 6


def _wanted(replica: int) -> list[list[int]]:
    first = replica * _SHARE
    return [[row, row + 1] for row in range(first, first + _SHARE, 2)]


def check(work: Work) -> Verdict:
    run = ended(work, "feed.py")
    if isinstance(run, Verdict):
        return run
    if run.outcome is not None and not run.outcome.ok:
        return wrong(f"feed.py {run.outcome.status}: {run.outcome.reason:.200}.")
    fed: dict[int, list[list[int]]] = {}
    for index in range(2):
        fed.update(_noted(work, index))
    if sorted(fed) != list(range(_REPLICAS)):
        return wrong("Not every replica got rows.")
    if all(fed[replica] == fed[replica % 2] for replica in fed):
        rows = {row for replica in fed for step in fed[replica] for row in step}
        if rows == set(range(_REPLICAS * _SHARE)):
            return not_yet("Both workers read all of the rows.")
    if all(fed[replica] == _wanted(replica) for replica in fed):
        return right("Each of the four replicas read its own six rows, two at a time.")
    return wrong(_fed_wrongly(fed))


def _fed_wrongly(fed: Mapping[int, list[list[int]]]) -> str:
    rows = {row for replica in fed for step in fed[replica] for row in step}
    shown = f"Replica 0 read {_shown(fed[0])}, replica 1 {_shown(fed[1])}."
    own = [set(chain(*fed[2 * worker], *fed[2 * worker + 1])) for worker in range(2)]
    if own == [set(range(_SHARE)), set(range(_SHARE, 2 * _SHARE))]:
        return (
            f"{shown} No replica reads rows {2 * _SHARE} to 23: the function is called for each"
            " worker, not for each replica, and its `input_pipeline_id` is the worker's."
        )
    if never := sorted(set(range(_REPLICAS * _SHARE)) - rows):
        return (
            f"{shown} No replica reads {len(never)} of the 24 rows, for example row {never[0]}."
            " Each replica should have its own six rows."
        )
    if any(len(step) > 2 for replica in fed for step in fed[replica]):
        return f"{shown} That is more than two rows in a step: here no batch is split."
    if all(len(step) == 1 for replica in fed for step in fed[replica]):
        return f"{shown} That is one row in a step, not two."
    if own[0] == set(range(2 * _SHARE)):
        if [fed[0], fed[1]] == [[[at, at + 1] for at in range(k, 12, 4)] for k in (0, 2)]:
            return (
                f"{shown} These are the worker's rows, but the batches of its dataset go to its"
                " replicas in turn."
            )
        return f"{shown} {_of_one_worker(fed[0], fed[1])}"
    return f"{shown} Each of them should have its own six rows."


def _of_one_worker(first: list[list[int]], second: list[list[int]]) -> str:
    """What is wrong with how worker 0 gave all of its rows to its replicas."""
    if [first, second] == [_wanted(1), _wanted(0)]:
        return "Each has the rows of the other."
    if [sorted(chain(*one)) for one in (first, second)] == [
        list(chain(*_wanted(replica))) for replica in (0, 1)
    ]:
        return "Each replica gets the right rows, but not in order, or not two in each step."
    if any(min(step) < _SHARE <= max(step) for step in chain(first, second)):
        return "These are the worker's rows, but a batch mixes rows of two replicas."
    return "These are the worker's rows, but each replica should have its own six."


def _shown(steps: Sequence[Sequence[int]]) -> str:
    return f"{', '.join(str(row) for step in steps[:8] for row in step)}"[:80] or "nothing"


def _rows(step: Any) -> list[int]:
    """The rows of a batch, or a single row that is in no batch."""
    return [int(row) for row in (step if isinstance(step, list) else [step])]


def _noted(work: Work, index: int) -> dict[int, list[list[int]]]:
    try:
        noted = json.loads((work.folder / f"fed-{index}.json").read_text())
        fed = {int(replica): list(map(_rows, steps)) for replica, steps in noted.items()}
        return {replica: list(filter(None, steps)) for replica, steps in fed.items() if any(steps)}
    except (OSError, ValueError, TypeError, AttributeError):
        return {}

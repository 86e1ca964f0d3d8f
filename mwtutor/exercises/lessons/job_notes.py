"""What two workers drew and summed in a program of lesson 21, and what their ledgers show."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, ended, wrong
from mwtutor.run.observations.exchanges import meetings
from mwtutor.run.run import Run

#: A kind of number and a step: ``("loss", 2)``.
Key = tuple[str, int]

#: Numbers of worker:0 are below this; those of worker:1 are multiples of it.
_THOUSAND = 1000


@dataclass(frozen=True)
class Worker:
    """What one worker did.

    Attributes:
        drawn: the numbers that only it knew.
        sums: what it recorded as the sums of both.
        rows: how many rows it had in each epoch.
        exchanges: how many of the exchanges in its ledger both workers completed.
    """

    drawn: Mapping[Key, int]
    sums: Mapping[Key, int]
    rows: tuple[int, ...]
    exchanges: int

    def key_of(self, number: int) -> Key | None:
        """Which of the worker's numbers this is; None if it is none of them."""
        return next((key for key, one in self.drawn.items() if one == number), None)


def both_workers(work: Work, program: str) -> tuple[Worker, Worker] | Verdict:
    """What both workers of the latest run did, or why that cannot be judged."""
    run = ended(work, program)
    if isinstance(run, Verdict):
        return run
    ledgers = run.exchanges().ledgers
    if len(ledgers) != 2 or not all(one.exchanges for one in ledgers.values()):
        return _failed(run) or wrong("In the ledgers of this run, no two workers exchange values.")
    if not_repaired := _alone(run) or _failed(run):
        return not_repaired
    names = [work.folder / f"{Path(program).stem}-{index}.json" for index in range(2)]
    made = len(meetings(ledgers))
    try:
        first, second = (_read(name, made) for name in names)
    except (OSError, ValueError, KeyError, TypeError, AttributeError):
        keep = "Keep the lines with `job`: they record what each worker does."
        return wrong(f"At least one worker did not record what it did. {keep}")
    return first, second


def _failed(run: Run) -> Verdict | None:
    outcome = run.outcome
    if outcome is None or outcome.status != "failed":
        return None
    return wrong(f"The run failed: {outcome.reason}.")


def _alone(run: Run) -> Verdict | None:
    """The verdict on a run with an exchange that did not end."""
    content = run.exchanges()
    for one in meetings(content.ledgers):
        if len(one.parts) == 2 and all(part.done for part in one.parts.values()):
            continue
        counts = [f"{its.made} by {task}" for task, its in content.ledgers.items()]
        what = "has no counterpart" if len(one.parts) == 1 else "did not end on both workers"
        (part, *_) = one.parts.values()
        return wrong(
            f"Exchanges begun: {', '.join(counts)}. An exchange at {part.line} {what}: the run"
            f" {run.outcome.status if run.outcome else 'continues'}."
        )
    return None


def _read(path: Path, exchanges: int) -> Worker:
    told = json.loads(path.read_text())
    drawn, sums = (_numbers(told[name]) for name in ("drawn", "sums"))
    return Worker(drawn, sums, tuple(map(int, told["rows"])), exchanges)


def _numbers(rows: Any) -> dict[Key, int]:
    found = {}
    for kind, step, value in rows:
        if not math.isfinite(value) or (str(kind), int(step)) in found:
            raise ValueError(f"{kind}, {step}: {value}")
        found[str(kind), int(step)] = round(value)
    return found


def parts(total: int) -> tuple[int, int]:
    """What worker:0 and worker:1 contributed to a total: a number each, or a sum of several."""
    return total % _THOUSAND, total // _THOUSAND * _THOUSAND


def mixed(first: Worker, second: Worker) -> str:
    """A sentence about a sum that mixed numbers of different steps; empty if there is none.

    Only sums on which the two workers disagree count: a worker may contribute another step's number
    on purpose.
    """
    for key, total in first.sums.items():
        theirs = second.sums.get(key)
        if theirs == total:
            continue
        mine, its = parts(total)
        there, here = second.key_of(its), first.key_of(mine)
        if here and there and here != there:
            return f"One sum has {_called(here)} from worker:0 and {_called(there)} from worker:1."
    return ""


def _called(key: Key) -> str:
    kind, step = key
    return f"row {step} of {kind}" if kind.startswith("epoch") else f"the {kind} of step {step}"

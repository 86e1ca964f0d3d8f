"""Shared by the checks of broken clusters: what the tasks of a run noted and exchanged."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mwtutor import facts
from mwtutor.exercises.exercise import Verdict, Work, ended, not_yet, right, wrong
from mwtutor.exercises.sources import read, same
from mwtutor.run.observations.exchanges import meetings
from mwtutor.run.run import Run

#: How much two results may differ, relative to the larger one.
_ALIKE = 1e-3


class Missing(Exception):
    """A task did not record what its program should record."""


@dataclass(frozen=True)
class Seen:
    """A run that succeeded.

    Attributes:
        folder: where its tasks ran.
        noted: for each task, what it noted, by name.
    """

    run: Run
    folder: Path
    noted: Mapping[str, Mapping[str, list[Any]]]

    def all(self, name: str, tasks: Sequence[str] = ("worker:0", "worker:1")) -> list[list[Any]]:
        """The values of that name that each of these tasks noted."""
        for task in tasks:
            if name not in self.noted.get(task, {}):
                raise Missing(f"{task} did not note `{name}`: keep the lines with `note`.")
        return [self.noted[task][name] for task in tasks]

    def last(self, name: str) -> list[Any]:
        """The value that each worker noted last."""
        return [values[-1] for values in self.all(name)]

    def drawn(self, counts: Mapping[str, int]) -> list[list[float]]:
        """For each task, the numbers that only it knew: exactly as many as ``counts`` demands."""
        drawn = self.all("own", list(counts))
        for (task, count), numbers in zip(counts.items(), drawn, strict=True):
            if len(numbers) != count:
                words = f"{task} should draw {count} numbers, but drew {len(numbers)}"
                raise Missing(f"{words}: keep the lines with `own_number`.")
        return drawn

    def own(self) -> list[float]:
        """The first number that only worker:0 knew, and the first that only worker:1 knew."""
        return [values[0] for values in self.all("own")]

    @property
    def exchanges(self) -> list[Any]:
        """What worker:0 contributed to the exchanges that both workers completed."""
        met = meetings(self.run.exchanges().ledgers)
        both = [list(one.parts.values()) for one in met if len(one.parts) == 2]
        return [parts[0] for parts in both if all(part.done for part in parts)]


def cluster(file: str, fault: Callable[[Seen], str], repaired: str) -> Callable[[Work], Verdict]:
    """The check of a broken cluster.

    Args:
        file: the path of the calling module, in the cluster's folder.
        fault: what is wrong with a run that succeeded, in sentences; empty if nothing is.
        repaired: what was observed if nothing is wrong.
    """
    stub = read(Path(file).with_name("stub.py").read_text().removeprefix("# "))

    def check(work: Work) -> Verdict:
        run = ended(work, stub.file)
        if isinstance(run, Verdict):
            return run
        words = _unfinished(run) or _fault(fault, Seen(run, work.folder, _noted(run, work.folder)))
        if not words:
            return right(repaired)
        if _is_unchanged(work.folder / stub.file, stub.body):
            return not_yet(f"{stub.file} is unchanged. {words}")
        return wrong(words)

    return check


def _is_unchanged(file: Path, body: str) -> bool:
    try:
        return same(file.read_text(errors="replace"), body)
    except OSError:
        return False


def _unfinished(run: Run) -> str:
    outcome = run.outcome
    if outcome is None or outcome.ok:
        return ""
    return f"The run {outcome.status}: {outcome.reason}."


def _fault(fault: Callable[[Seen], str], seen: Seen) -> str:
    try:
        return fault(seen)
    except Missing as error:
        return str(error)
    except (TypeError, ValueError, LookupError):
        return "The tasks noted values of an unexpected form: do not change what the program notes."


def _noted(run: Run, folder: Path) -> dict[str, dict[str, list[Any]]]:
    found = {}
    for task in map(str, run.tasks):
        path = folder / facts.place(run.spec.id, task)
        if not path.exists():  # for example, a parameter server notes nothing
            continue
        try:
            told = json.loads(path.read_text())
            found[task] = {str(name): list(values) for name, values in told.items()}
        except (OSError, ValueError, AttributeError, TypeError):
            continue
    return found


def alike(one: Any, other: Any) -> bool:
    """Whether two numbers, or two lists of numbers, agree."""
    if isinstance(one, list) or isinstance(other, list):
        same_length = isinstance(one, list) and isinstance(other, list) and len(one) == len(other)
        return same_length and all(map(alike, one, other))
    return bool(abs(one - other) <= _ALIKE * max(1.0, abs(one), abs(other)))


def not_summed(seen: Seen, name: str = "total") -> str:
    """What is wrong; empty if each worker noted the sum of both workers' own numbers."""
    totals, own = seen.last(name), seen.own()
    if alike(totals, own):
        return "Each worker noted only its own number: nothing was added up."
    if alike(totals, [sum(own)] * 2):
        return ""
    return f"The workers noted {totals[0]} and {totals[1]}; their own numbers add up to {sum(own)}."


def not_divided(seen: Seen) -> str:
    """What is wrong; empty if each of the rows was seen once, by one of the workers."""
    numbers = seen.all("rows")[0][0]
    first, second = ([row for batch in batches for row in batch] for batches in seen.all("seen"))
    both, none = set(first) & set(second), set(numbers) - {*first, *second}
    if both:
        lost = f", and {len(none)} by neither" if none else ""
        return f"{len(both)} of the {len(numbers)} rows were read by both workers{lost}."
    if none:
        return f"{len(none)} of the {len(numbers)} rows were read by neither worker."
    return "" if len(first + second) == len(numbers) else "Some rows were read more than once."

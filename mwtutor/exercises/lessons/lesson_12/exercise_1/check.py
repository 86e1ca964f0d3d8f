"""12-1: an input function for any context."""

from __future__ import annotations

from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.shuffled_rows import earliest, followers
from mwtutor.exercises.lessons.worker_values import each_worker

_READ = "rows_read"

SESSION = (_READ,)

#: How many rows there are, and how many the lesson takes at most.
_ROWS, _TAKEN = 40, 100

#: At least one of a worker's shuffled rows comes this many places before its turn.
_EARLY = 5

#: The contexts in which the lesson calls the function.
_ALONE, _TWO, _FOUR = "no context", "2 pipelines, 2 replicas", "2 pipelines, 4 replicas"


def check(work: Work) -> Verdict:
    found = next(iter(each_worker(work, _READ)), None)
    if not isinstance(found, dict) or set(found) != {_ALONE, _TWO, _FOUR}:
        return not_yet("`rows_for` has not been called.")
    parts = {name: _parts(found[name]) for name in found}
    for name in (_TWO, _FOUR):
        if words := _fault(name, parts[name], found[name]):
            return not_yet(words) if parts == _STUB else wrong(words)
    alone = parts[_ALONE]
    if alone is None:
        return wrong(f"Without a context, `rows_for` raises {found[_ALONE]!s:.100}")
    whole = [row for part in alone for row in part]
    if sorted(whole) != list(range(_ROWS)):
        words = f"rows read: {_count(alone)}; different rows: {len(set(whole))}"
        return wrong(f"Without a context, {words}.")
    if not any(part != sorted(part) for part in parts[_TWO] or []):
        return wrong("The workers divide the rows, but these come in order: they are not shuffled.")
    early = max(earliest(part) for name in (_TWO, _FOUR) for part in parts[name] or [])
    if early < _EARLY:
        return wrong(
            f"The workers divide the rows. But no row comes more than {early}"
            f" place{'s' * (early > 1)} earlier than without shuffling: that is hardly shuffled."
        )
    if all(2 * followers(part) > len(part) for part in parts[_TWO] or []):
        count = followers((parts[_TWO] or [[]])[0])
        return wrong(
            f"The workers divide the rows, and their order has changed. But {count} of worker 0's"
            " rows still come right after their predecessor: consecutive rows stay together."
        )
    return right("In any context, each row is read by one worker, and no row is left out.")


def _parts(value: Any) -> list[list[int]] | None:
    """The rows of each worker; None if it is anything else."""
    try:
        parts = [[int(row) for row in part] for part in value if not isinstance(part, str)]
    except (TypeError, ValueError, OverflowError):
        return None
    return parts if len(parts) == len(value) else None


#: What the stub reads: everything, everywhere, in order.
_STUB = {name: [list(range(_ROWS))] * count for name, count in ((_ALONE, 1), (_TWO, 2), (_FOUR, 2))}


def _fault(name: str, parts: list[list[int]] | None, found: Any) -> str:
    name = name.replace(", ", " and ")
    if parts is None or len(parts) != 2:
        return f"With {name}, `rows_for` raises, or returns no rows: {found!s:.100}"
    first, second = map(set, parts)
    every = set(range(_ROWS))
    if first == second == every:
        return f"With {name}, both workers read all {_ROWS} rows: {_count(parts)} in an epoch."
    if first == second:
        return f"With {name}, both workers read the same rows: {len(first)} of {_ROWS}."
    left, both = every - first - second, first & second
    if left and both:
        return (
            f"With {name}, rows that both workers read: {len(both)}; that neither reads:"
            f" {len(left)}. Parts of one order neither overlap nor leave rows out."
        )
    if left:
        return f"With {name}, neither worker reads {len(left)} of the {_ROWS} rows."
    if both:
        return f"With {name}, rows that both workers read: {len(both)}."
    if sum(map(len, parts)) > _ROWS:
        return f"With {name}, {_count(parts)} rows are read in an epoch, some more than once."
    return ""


def _count(parts: list[list[int]]) -> str:
    counts = [len(part) for part in parts]
    return f"{sum(counts)}{' or more' * (max(counts) >= _TAKEN)}"

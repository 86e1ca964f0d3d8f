"""06-3: three times too large."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.lesson_06.exercise_2.check import ROWS, Array, listed, numbers

_BY_HAND, _TRUE = "by_hand", "losses_of_all_rows"

#: How many rows a worker computed losses for; its result for only some rows; and those rows.
_ASKED, _OF_SOME, _SOME = "rows_asked", "by_hand_of_some", slice(100, 190)

SESSION = (_BY_HAND, _TRUE, _ASKED, _OF_SOME)

#: Batch sizes with which the run cell evaluates: the last batch is full, partial, and of one row.
_BATCHES = (99, 64, 74)


def check(work: Work) -> Verdict:
    given = [work.session[_BY_HAND][task] for task in sorted(work.session[_BY_HAND], key=str)]
    losses = next((_losses(value) for value in work.session[_TRUE].values()), None)
    if len(given) < 2 or losses is None or not all(isinstance(one, dict) for one in given):
        return not_yet("Nothing has been evaluated.")
    found = [numbers([one.get(batch) for batch in _BATCHES]) for one in given]
    if any(one is None for one in found):
        return not_yet("evaluate_by_hand did not give a number for each of the batch sizes.")
    first, second = np.asarray(found[0]), np.asarray(found[1])
    mean = float(losses.mean())
    if _same(first, np.array([_faulty(losses, batch) for batch in _BATCHES])):
        return not_yet(
            f"In batches of {_BATCHES[0]} the result is {first[0]:.3f}, but the mean over the rows"
            f" is {mean:.3f}. The result is {first[0] / mean:.2f} times too large."
        )
    if not _same(first, second):
        seen = f"worker:0 reports {_shown(first)}; worker:1 reports {_shown(second)}"
        if any(_are_own((first, second), losses, formula) for formula in _OWN):
            return wrong(f"{seen}: each has only the loss of its own rows.")
        return wrong(f"{seen}: both should have the mean over all rows, {mean:.3f}.")
    if _same(first, np.full(len(_BATCHES), mean)):
        return _of_the_run(work, losses)
    return wrong(
        f"In batches of {listed(_BATCHES)} rows the results are {_shown(first)}."
        f" {_why(first, losses)}"
    )


def _of_the_run(work: Work, losses: Array) -> Verdict:
    """The verdict on how the workers divided the rows, and on the result for only some rows."""
    asked = list(work.session[_ASKED].values())
    some = [numbers([one]) for one in work.session[_OF_SOME].values()]
    if len(asked) < 2 or len(some) < 2 or not all(isinstance(one, int) for one in asked):
        return not_yet("Rows 100 to 189 have not been evaluated alone: run the cell below yours.")
    if min(asked) >= len(_BATCHES) * ROWS:
        return wrong(
            f"The result is the mean over all rows. But each worker computed the losses of all"
            f" {ROWS} rows for each batch size: the rows were not divided."
        )
    part = float(losses[_SOME].mean())
    if not all(one is not None and _same(one, np.array([part])) for one in some):
        told = " and ".join("no number" if one is None else f"{one[0]:.4f}" for one in some)
        return wrong(
            f"For all rows, the result is the mean loss. For rows {_SOME.start} to"
            f" {_SOME.stop - 1}, the workers report {told}, but the mean loss is {part:.4f}."
        )
    return right(
        f"The result is {losses.mean():.4f}, the mean over {ROWS} rows, for every batch size."
    )


def _why(found: Array, losses: Array) -> str:
    for formula, words in _MISTAKES:
        if _same(found, np.array([formula(losses, batch) for batch in _BATCHES])):
            return words
    if np.isnan(found).tolist() == [False, False, True]:
        return (
            "With 74 the last batch has a single row, and one worker has none: the mean of no rows"
            " is NaN."
        )
    return f"The mean over the rows is {losses.mean():.4f}."


def _batches(losses: Array, size: int) -> list[list[Array]]:
    """The losses, batch by batch, each divided among two workers."""
    batches = [losses[begin : begin + size] for begin in range(0, len(losses), size)]
    return [[batch[: -(-len(batch) // 2)], batch[-(-len(batch) // 2) :]] for batch in batches]


def _faulty(losses: Array, size: int) -> float:
    return float(np.mean([sum(map(np.sum, batch)) / 32 for batch in _batches(losses, size)]))


def _scaled(losses: Array, size: int) -> float:
    return _faulty(losses, size) * 32 / 99


def _batch_size(losses: Array, size: int) -> float:
    return _faulty(losses, size) * 32 / size


def _batch_means(losses: Array, size: int) -> float:
    return float(np.mean([np.concatenate(batch).mean() for batch in _batches(losses, size)]))


def _sum_of_means(losses: Array, size: int) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.mean([sum(_mean(part) for part in b) for b in _batches(losses, size)]))


def _mean_of_means(losses: Array, size: int) -> float:
    return _sum_of_means(losses, size) / 2


def _mean(part: Array) -> float:
    return float(part.mean()) if len(part) else float("nan")


def _are_own(
    found: Sequence[Array], losses: Array, formula: Callable[[list[Array]], float]
) -> bool:
    """Whether each worker's results are those of this formula for its part of each batch."""
    parts = [_batches(losses, size) for size in _BATCHES]
    return all(
        _same(one, np.array([formula([batch[index] for batch in batches]) for batches in parts]))
        for index, one in enumerate(found)
    )


#: What a worker may compute from the losses of its part of each batch, without the other worker.
_OWN: tuple[Callable[[list[Array]], float], ...] = (
    lambda own: float(np.concatenate(own).mean()),
    lambda own: float(np.concatenate(own).sum()),
    lambda own: float(np.concatenate(own).sum() / ROWS),
    lambda own: float(np.concatenate(own).sum() / 32 / len(own)),
    lambda own: float(np.mean([_mean(part) for part in own])),
)

_Formula = Callable[[Array, int], float]

_MISTAKES: tuple[tuple[_Formula, str], ...] = (
    (
        _scaled,
        "With 99 that is right, but not with the others: now it is divided by 99 instead of 32,"
        " whatever the size of the batch.",
    ),
    (
        _batch_size,
        "With 99 that is right. With the others the last batch is smaller than the rest, and is"
        " divided as if it were not.",
    ),
    (
        _batch_means,
        "With 99 that is right. With the others a row of the last, small batch counts more than"
        " any other: the result is a mean of the batches' means.",
    ),
    (
        _sum_of_means,
        "The result is about twice as large as it should be: each worker took the mean over its own"
        " rows, and the two means are added. With 74, a worker has no rows in the last batch, and"
        " so no mean.",
    ),
    (
        _mean_of_means,
        "The result is nearly right with 99: the mean of two workers' means, of 50 rows and of 49."
        " With 74, a worker has no rows in the last batch, and so no mean.",
    ),
)


def _same(found: Array, expected: Array) -> bool:
    return bool(np.allclose(found, expected, rtol=1e-4, atol=1e-5, equal_nan=True))


def _shown(values: Array) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


def _losses(value: Any) -> Array | None:
    found = numbers(value)
    return found if found is not None and found.size == ROWS and found.any() else None

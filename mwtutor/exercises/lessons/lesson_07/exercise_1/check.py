"""07-1: the mean of uneven batches."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_MEANS, _ROWS = "found_means", "given_rows"

SESSION = (_MEANS, _ROWS)

#: The global batch size in the lesson; the last batches are smaller.
_BATCH = 8


def check(work: Work) -> Verdict:
    found, given = each_worker(work, _MEANS), each_worker(work, _ROWS)
    if len(found) < 2 or len(given) < 2 or not all(isinstance(one, list) and one for one in found):
        return not_yet("`mean_square` has not been called on both workers.")
    parts = [as_array(batch) for batch in given[0]] if isinstance(given[0], list) else []
    if not parts or any(part is None or part.ndim != 1 or not part.size for part in parts):
        return not_yet("The batches are missing: run the cells of the lesson again.")
    if _is_row_by_row(found[0][0], parts[0]):
        return wrong(
            "For 8 rows, the result is four numbers: with `axis=None`, `reduce` combines the first"
            " row of one replica with the first of the other, the second with the second, and so"
            " on. Of 5 rows, one replica has three, and the other has two."
        )
    if errors := [one for one in found[0] if isinstance(one, str) and "Error" in one]:
        return wrong(f"`mean_square` raises {errors[0]:.200}.")
    numbers = [as_array(one) for one in found]
    if any(one is None or one.shape != (len(parts),) for one in numbers):
        return wrong("`mean_square` does not give one number for each batch.")
    return _judge_means(numbers, parts)


def _is_row_by_row(shown: Any, part: Any) -> bool:
    """Whether it shows the squares of the two replicas' rows, combined one by one."""
    if not isinstance(shown, str) or not shown.startswith("["):
        return False
    try:
        numbers = np.array(shown.strip("[] ").split(), dtype=float)
    except ValueError:
        return False
    first, second = _halves(part)
    return len(first) == len(second) == len(numbers) and any(
        np.allclose(numbers, combined, rtol=1e-3)
        for combined in (first + second, (first + second) / 2)
    )


def _judge_means(numbers: list[Any], parts: list[Any]) -> Verdict:
    first, second = numbers
    if not np.allclose(first, second, rtol=1e-4, equal_nan=True):
        words = (
            f"For the first batch, worker:0 has {first[0]:g} and worker:1 has {second[0]:g}: each"
            " knows only its own rows."
        )
        return not_yet(words) if _is_stub(numbers, parts) else wrong(words)
    expected = np.array([np.mean(part**2) for part in parts])
    if np.allclose(first, expected, rtol=1e-4):
        return right("The mean over all rows is right for 8 rows, for 5, and for 1.")
    for words, wrongly in _WRONG_MEANS:
        if np.allclose(first, [wrongly(part) for part in parts], rtol=1e-4, equal_nan=True):
            return wrong(words)
    at = int(np.flatnonzero(~np.isclose(first, expected, rtol=1e-4))[0])
    return wrong(
        f"For batch {at}, of size {len(parts[at])}, the result is {first[at]:g}; the mean of the"
        f" squares is {expected[at]:g}."
    )


def _halves(part: Any) -> tuple[Any, Any]:
    """The rows of worker 0 and of worker 1, squared."""
    middle = (len(part) + 1) // 2
    return part[:middle] ** 2, part[middle:] ** 2


def _is_stub(numbers: list[Any], parts: list[Any]) -> bool:
    own = [[_mean(half) for half in _halves(part)] for part in parts]
    return all(
        np.allclose(numbers[k], [one[k] for one in own], rtol=1e-4, equal_nan=True) for k in (0, 1)
    )


def _mean(rows: Any) -> float:
    return float(rows.mean()) if rows.size else float("nan")


_WRONG_MEANS: tuple[tuple[str, Callable[[Any], float]], ...] = (
    (
        "For 8 rows, the result is right. For 5, it is the mean of two means, one of 3 rows and one"
        " of 2. For 1 row, it is NaN, because one replica takes a mean of nothing.",
        lambda part: float(np.mean([_mean(half) for half in _halves(part)])),
    ),
    (
        "For 8 rows and for 5, the result is about twice the mean: each replica already divided by"
        " its number of rows, and the two means are added up. For 1 row, it is NaN.",
        lambda part: sum(_mean(half) for half in _halves(part)),
    ),
    (
        "The result is right for 8 rows, and too small for 5 and for 1: `mean_square` divides by"
        " the global batch size, which these batches do not have.",
        lambda part: float(np.sum(part**2) / _BATCH),
    ),
    (
        "The result is the sum over the rows: it was not divided by their number.",
        lambda part: float(np.sum(part**2)),
    ),
    (
        "The result is the sum divided by the number of replicas, not by the number of rows.",
        lambda part: float(np.sum(part**2) / 2),
    ),
)

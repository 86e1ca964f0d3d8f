"""07-3: synchronized batch normalization by hand."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_NORMALIZED, _FEATURES = "normalized", "features.numpy().tolist()"

SESSION = (_NORMALIZED, _FEATURES)

#: What is added to the variance.
_EPSILON = 1e-3


def check(work: Work) -> Verdict:
    parts = [as_array(value) for value in each_worker(work, _FEATURES)]
    found = [as_array(value) for value in each_worker(work, _NORMALIZED)]
    if len(parts) < 2 or len(found) < 2:
        return not_yet("`sync_norm` has not run on both workers.")
    if any(part is None or part.ndim != 2 or part.size == 0 for part in parts):
        return not_yet("The features are missing: run the cells of the lesson again.")
    if any(value is None or value.ndim == 0 for value in found):
        return not_yet("`sync_norm` has not returned rows of numbers on both workers.")
    if any(value.shape != part.shape for value, part in zip(found, parts, strict=True)):
        return wrong("The result of `sync_norm` does not have the shape of its argument.")
    if all(np.allclose(a, b) for a, b in zip(found, parts, strict=True)):
        return not_yet("`sync_norm` returns the features unchanged.")
    return _judge_norm(found, parts)


def _judge_norm(found: list[Any], parts: list[Any]) -> Verdict:
    everything = _statistics(np.concatenate(parts))
    if _is_normalized(found, parts, *everything):
        return right("The rows are normalized as in one process that has all eight.")
    if _is_normalized(found, parts, *everything, epsilon=0.0):
        return wrong(
            "Mean and variance are right; the 0.001 under the root is missing. It matters where a"
            " variance is small, as in the third column."
        )
    if all(_is_normalized([f], [p], *_statistics(p)) for f, p in zip(found, parts, strict=True)):
        return wrong(
            "Each replica normalizes its rows with its own statistics, as if others had no rows."
        )
    for words, statistics in _WRONG_STATISTICS:
        if _is_normalized(found, parts, *statistics(parts)):
            return wrong(words)
    return wrong(_farthest(np.concatenate(found), np.concatenate(parts), *everything))


def _farthest(found: Any, rows: Any, mean: Any, variance: Any) -> str:
    """The number that is farthest from what it should be."""
    wanted = (rows - mean) / np.sqrt(variance + _EPSILON)
    apart = np.nan_to_num(np.abs(found - wanted), nan=np.inf)
    row, column = np.unravel_index(np.argmax(apart), apart.shape)
    return (
        f"`sync_norm` turns {rows[row, column]:g} in column {column + 1} into"
        f" {found[row, column]:.4g}. With the mean and the variance of all eight rows, the result"
        f" is {wanted[row, column]:.4g}."
    )


def _statistics(rows: Any) -> tuple[Any, Any]:
    return rows.mean(0), rows.var(0)


def _is_normalized(
    found: list[Any], parts: list[Any], mean: Any, variance: Any, epsilon: float = _EPSILON
) -> bool:
    with np.errstate(all="ignore"):
        scale = np.sqrt(variance + epsilon)
        return all(
            np.allclose(value, (part - mean) / scale, rtol=1e-3, atol=1e-3)
            for value, part in zip(found, parts, strict=True)
        )


def _means_of_statistics(parts: list[Any]) -> tuple[Any, Any]:
    return np.mean([p.mean(0) for p in parts], 0), np.mean([p.var(0) for p in parts], 0)


def _own_variances(parts: list[Any]) -> tuple[Any, Any]:
    """The right mean; for the variance, the mean of the parts' own variances, weighted by rows."""
    rows = [len(part) for part in parts]
    return np.concatenate(parts).mean(0), np.average([p.var(0) for p in parts], 0, weights=rows)


def _moments_of_moments(parts: list[Any]) -> tuple[Any, Any]:
    """Means of means, and of means of squares."""
    mean = np.mean([p.mean(0) for p in parts], 0)
    return mean, np.mean([(p**2).mean(0) for p in parts], 0) - mean**2


def _unbiased(parts: list[Any]) -> tuple[Any, Any]:
    rows = np.concatenate(parts)
    return rows.mean(0), rows.var(0, ddof=1)


_WRONG_STATISTICS: tuple[tuple[str, Callable[[list[Any]], tuple[Any, Any]]], ...] = (
    (
        "Mean and variance are the averages of the two replicas' statistics. Averaging the"
        " variances loses the distance between the replicas' means.",
        _means_of_statistics,
    ),
    (
        "The mean is right. The variance is the average of the replicas' variances, each around its"
        " own mean: it must be taken around the mean of all rows.",
        _own_variances,
    ),
    (
        "Nearly right: the moments of the two replicas are averaged as if both had the same number"
        " of rows. One has five and one has three.",
        _moments_of_moments,
    ),
    (
        "For the variance, `sync_norm` divides by 7, one less than the number of rows. Batch"
        " normalization divides by the number of rows.",
        _unbiased,
    ),
)

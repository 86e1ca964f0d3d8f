"""06-2: averaging averages."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, TypeAlias

import numpy as np
import numpy.typing as npt

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

Array: TypeAlias = npt.NDArray[np.float64]

#: Rows of the lesson's test data.
ROWS = 297

#: How many rows each worker read; the last case is that of the lesson.
_PARTS = ((6, 2), (5, 3, 0), (231, 66))


def check(work: Work) -> Verdict:
    state, result = work.value("state"), work.value("result")
    if not callable(state) or not callable(result):
        return not_yet("`state` and `result` are not both defined.")
    for parts in _PARTS:
        labels, scores = _labeled(sum(parts))
        expected = float(np.mean((scores > 0.5) == labels))
        found = _combined(state, result, parts)
        if isinstance(found, Verdict):
            return found
        if not np.isclose(found, expected, atol=1e-9):
            return _why_wrong(parts, found, expected)
    return right("However the rows are divided, `result` computes the accuracy of all of them.")


def _combined(state: Any, result: Any, parts: Sequence[int]) -> float | Verdict:
    """What a cluster reports if its workers read these numbers of rows."""
    states = []
    for labels, scores in _split(parts):
        one = state(labels, scores)
        if one is None:
            return not_yet()
        found = numbers(one)
        if found is None:
            return wrong(
                f"state(labels, scores) gives {type(one).__name__}, not a list of numbers: only"
                " numbers can be added up."
            )
        states.append(found)
    if len({one.shape for one in states}) > 1:
        return wrong(
            "The workers' states have different lengths, so they cannot be added up: a state must"
            " not grow with the number of rows."
        )
    total = result(np.sum(states, axis=0).tolist())
    value = numbers([total])
    if value is None:
        return not_yet() if total is None else wrong(f"result(total) gives {total!r:.60}.")
    if not np.isfinite(value[0]):
        seen = f"If {listed(parts)} rows are read, the result is {value[0]}."
        if 0 in parts and not np.isfinite(states).all():
            seen += " The state of a worker without rows must be finite, too."
        return wrong(seen)
    return float(value[0])


def _why_wrong(parts: Sequence[int], found: float, expected: float) -> Verdict:
    own = [np.mean((s > 0.5) == y) if len(y) else 0.0 for y, s in _split(parts)]
    seen = f"For {listed(parts)} rows, the accuracy is {expected:.3f}, and yours is {found:.3f}"
    if np.isclose(found, np.sum(own)):
        return wrong(f"{seen}: the sum of the workers' accuracies, which is not an accuracy.")
    if np.isclose(found, np.mean(own)):
        return wrong(
            f"{seen}: the mean of the workers' accuracies. A row counts more on a worker with fewer"
            " rows."
        )
    if np.isclose(found, expected * sum(parts) / ROWS):
        return wrong(f"{seen}: you divide by {ROWS} rows, however many were read.")
    labels, scores = _labeled(sum(parts))
    if np.isclose(found, np.mean((scores >= 0.5) == labels)):
        return wrong(f"{seen}: a row with a score of exactly 0.5 is counted as above 0.5.")
    return wrong(f"{seen}.")


def _labeled(rows: int) -> tuple[npt.NDArray[np.int64], Array]:
    """Labels and scores of that many rows; the first ones are easier than the last."""
    draw = np.random.default_rng(6)
    labels = draw.integers(0, 2, rows)
    ease = np.where(np.arange(rows) < 0.6 * rows, 0.9, 0.4)
    scores = np.where(draw.random(rows) < ease, labels, 1 - labels) * 0.6 + 0.2
    if rows:  # so that no number of rows is right by chance
        scores[0], scores[-1] = 0.2 + 0.6 * labels[0], 0.8 - 0.6 * labels[-1]
        scores[rows // 2] = 0.5
    return labels, scores


def _split(parts: Sequence[int]) -> Iterator[tuple[npt.NDArray[np.int64], Array]]:
    labels, scores = _labeled(sum(parts))
    ends: npt.NDArray[np.int64] = np.cumsum(parts)
    for begin, end in zip(ends - parts, ends, strict=True):
        yield labels[begin:end].copy(), scores[begin:end].copy()


def numbers(value: Any) -> Array | None:
    """A row of numbers, of any numeric type; None if it is something else."""
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None
    return found if found.ndim == 1 and 0 < found.size <= 1000 else None


def listed(sizes: Sequence[int]) -> str:
    return f"{', '.join(map(str, sizes[:-1]))} and {sizes[-1]}"

"""12-2: a loss averaged over rows."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_LOSSES = "losses_found"

#: The batch sizes of the lesson; the loss of a row is a hundredth of its number, below 297.
_BATCHES = ("99", "100", "297")
_EACH = np.arange(297) / 100.0

#: The loss of only some rows, 190 from row 100 on: its expression and its value.
_LOSS_OF_SOME, _OF_SOME = "loss_of_some", float(_EACH[100:290].mean())

SESSION = (_LOSSES, _LOSS_OF_SOME)


def check(work: Work) -> Verdict:
    found = next(iter(each_worker(work, _LOSSES)), None)
    if not isinstance(found, Mapping) or set(found) != set(_BATCHES):
        return not_yet("Nothing was evaluated.")
    if any(found[batch] is None for batch in _BATCHES):
        return not_yet("There is no metric `mean loss`.")
    numbers = [as_array(found[batch]) for batch in _BATCHES]
    for batch, number in zip(_BATCHES, numbers, strict=True):
        if str(found[batch]).startswith("OutOfRangeError"):
            return wrong(
                "OutOfRangeError: the value of `mean loss` reads a batch. The Estimator fetches it"
                " after the last batch, so it must come from a variable that each step updates."
            )
        if number is None or number.shape != ():
            return wrong(f"The evaluation raises {found[batch]!s:.200}")
    given = np.array(numbers)
    told = f"`mean loss` is {', '.join(f'{number:.3f}' for number in given)}"
    if np.allclose(given, _EACH.mean(), rtol=1e-4):
        some = as_array(next(iter(each_worker(work, _LOSS_OF_SOME)), None))
        if some is None or some.shape != ():
            return not_yet("Rows 100 to 289 were not evaluated: run the cell below yours again.")
        if not np.isclose(some, _OF_SOME, rtol=1e-4):
            return wrong(
                f"`mean loss` is right for all rows. For rows 100 to 289, it is {some:.3f}, but"
                f" their average is {_OF_SOME:.3f}."
            )
        return right(f"The mean loss is {given[0]:.3f}, whatever the batch size.")
    for words, wrongly in _WRONG_LOSSES:
        if np.allclose(given, [wrongly(int(batch)) for batch in _BATCHES], rtol=1e-4):
            return wrong(f"{told} with batches of 99, 100 and 297 rows: {words}")
    return wrong(
        f"{told} with batches of 99, 100 and 297; the rows' average is {_EACH.mean():.3f}."
    )


def _batches(size: int) -> list[Any]:
    return [_EACH[at : at + size] for at in range(0, len(_EACH), size)]


def _mean_over_batches(of: Any) -> Any:
    return lambda size: float(np.mean([of(batch) for batch in _batches(size)]))


_WRONG_LOSSES = (
    (
        "right if all batches have the same size, otherwise a mean of means, in which a row of the"
        " small batch counts more than the others.",
        _mean_over_batches(np.mean),
    ),
    ("a mean of sums, which depends on the number of batches.", _mean_over_batches(np.sum)),
    (
        "each batch's sum, divided by the batch size used in training.",
        _mean_over_batches(lambda batch: batch.sum() / 32),
    ),
    (
        "each batch's sum, divided by 99. The mean of these is right only for three batches.",
        _mean_over_batches(lambda batch: batch.sum() / 99),
    ),
)

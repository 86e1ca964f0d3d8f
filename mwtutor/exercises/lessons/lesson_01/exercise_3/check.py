"""01-3: a pipeline."""

from __future__ import annotations

from itertools import chain
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    not_yet,
    right,
    wrong,
)
from mwtutor.exercises.lessons.shuffled_rows import earliest

_LOOK = "look(pipeline)"
_COUNT, _GLOBAL_BATCH = 64, 8

#: The same for 8 replicas with 2 rows each: the 64 rows of the task fill these batches, too.
_OTHERWISE = "look(pipeline, 64, 2, 8)"

#: Whether both functions exist.
_WRITTEN = "callable(pipeline) and callable(look)"

SESSION = (_LOOK, _OTHERWISE, _WRITTEN)


def check(work: Work) -> Verdict:
    looked = list(work.session[_LOOK].values())
    if not looked and True in work.session[_WRITTEN].values():
        return wrong(
            "`pipeline` raises an exception, or does not return a dataset of numbers. To see more,"
            " run `look(pipeline)` in a cell that begins with `%%mw`."
        )
    if not looked:
        return not_yet(
            "No dataset could be read: does the cell run, and does `pipeline` return one?"
        )
    seen = _seen(looked[0])
    if seen is None:
        return not_yet("No dataset could be read.")
    first, second, read = seen
    if not first or not all(isinstance(batch, list) for batch in first):
        return not_yet("`pipeline` gives single rows, not batches.")
    verdict = _judge_pipeline(first, second, read)
    if verdict.status != "right":
        return verdict
    other = next(map(_seen, work.session[_OTHERWISE].values()), None)
    if other is None:
        return wrong("With 2 rows for each of 8 replicas, `pipeline` gives no dataset.")
    sizes = {len(batch) if isinstance(batch, list) else 1 for batch in other[0]}
    if sizes != {16}:
        return wrong(
            f"With 8 rows for two replicas, it is right. With 2 rows for each of 8 replicas, a"
            f" batch has {' or '.join(map(str, sorted(sizes)))}: use `per_replica` and `replicas`."
        )
    return verdict


def _seen(looked: Any) -> tuple[list[Any], list[Any], int] | None:
    """The batches of two epochs, and how many rows were read from the source."""
    try:
        first, second = (list(epoch) for epoch in looked["epochs"])
        return first, second, int(looked["read"])
    except (KeyError, TypeError, ValueError):
        return None


def _judge_pipeline(first: list[Any], second: list[Any], read: int) -> Verdict:
    if any(isinstance(number, list) for number in first[0]):
        return wrong(
            f"An element of the dataset is not a batch of rows, but a batch of {len(first[0])}"
            " batches."
        )
    rows = [number for batch in first for number in batch]
    if len(first[0]) == _GLOBAL_BATCH // 2:
        return wrong(
            "A batch of the dataset has 4 rows. Two replicas share it, so each gets 2 of them."
        )
    if len(first[0]) != _GLOBAL_BATCH:
        return wrong(f"A batch of the dataset has {len(first[0])} rows.")
    if len(first) > _COUNT:
        return wrong(f"An epoch of {_COUNT} rows has at least {len(first)} batches.")
    if sorted(rows) != list(range(_COUNT)):
        return wrong(f"An epoch has {len(rows)} rows, {len(set(rows))} of them distinct.")
    if rows == sorted(rows):
        return wrong("The rows come in the order of the source: nothing is shuffled.")
    if first == second:
        return wrong("Both epochs have the same order: the order of the first epoch was kept.")
    if sorted(map(sorted, first)) == sorted(map(sorted, second)):
        return wrong("The batches are mixed, but each batch always has the same rows.")
    if (early := max(earliest(chain(*first)), earliest(chain(*second)))) < _COUNT // 2:
        return wrong(
            f"No row moves forward by more than {early} of {_COUNT} places: that is not mixed well."
        )
    if read < _COUNT:
        return wrong(f"Of {_COUNT} rows, {read} were read from the source: use `rows`.")
    if read > _COUNT:
        return wrong(f"{read} rows were read from the source in two epochs: none were kept.")
    return right(
        f"The {_COUNT} rows are read once, and mixed again in each epoch; each of two replicas"
        " gets 4 rows of a batch."
    )

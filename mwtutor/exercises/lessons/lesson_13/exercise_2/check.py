"""13-2: from one process to ranks."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np

from mwtutor.devices.requirements import unmet
from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.run.run import Run

_RANKS, _BATCH, _RATE = 2, 16, 0.05

#: Weights that differ by less are equal: the order of additions differs.
_EQUAL = 1e-4

#: Arrays: a kernel and a bias; images and their labels.
Weights = tuple[Any, Any]
Rows = tuple[Any, Any]


def check(work: Work) -> Verdict:
    run = ended(work, "ranks.py")
    if isinstance(run, Verdict):
        return not_yet(f"It {lacking}.") if (lacking := unmet("horovod")) else run
    if not run.spec.request.is_horovod or run.spec.request.workers != _RANKS:
        return wrong("Launch it as the cell below yours does, with `--with horovod`.")
    if run.outcome is None or not run.outcome.ok:
        return wrong(f"The run failed: {run.outcome.reason if run.outcome else ''}"[:300])
    try:
        data = np.load(work.folder / "digits.npz")
        rows = data["images"].astype("float64"), data["labels"]
        found = [_read(work.folder / f"ranks-{rank}.npz") for rank in range(_RANKS)]
    except (OSError, ValueError, KeyError):
        return wrong(
            "The run succeeded, but the files that the program's last lines write are missing or"
            " unreadable. Keep these lines."
        )
    paths = [work.folder / f"saved-by-{rank}.weights.h5" for rank in range(_RANKS)]
    saved = [rank for rank, path in enumerate(paths) if path.exists()]
    if _away(found[0][1], found[1][1]) < _EQUAL and not _sends_weights(run):
        return wrong(
            "Both ranks began with equal weights, and no rank sent its own to the others before it"
            " trained with them. With different initial weights, rank 1 would not end with the"
            " model of rank 0."
        )
    verdict = _judge_ranks(rows, found, saved)
    if verdict.status == "right" and not _has(paths[0], found[0][0]):
        return wrong("The weights are right, but the file that rank 0 saved has other weights.")
    return verdict


def _has(path: Path, weights: Weights) -> bool:
    """Whether this file of weights has the kernel and the bias."""
    import h5py  # type: ignore[import-untyped]

    arrays: list[Any] = []

    def collect(name: str, one: Any) -> None:
        if isinstance(one, h5py.Dataset):
            arrays.append(one[()])

    try:
        with h5py.File(path) as file:
            file.visititems(collect)
    except OSError:
        return False
    return all(any(np.array_equal(one, mine) for one in arrays) for mine in weights)


def _sends_weights(run: Run) -> bool:
    """Whether the ranks exchanged more than averages early in training.

    Equal initial weights do not prove it.
    """
    ledgers = run.exchanges().ledgers.values()
    if not ledgers or any(its.unrecorded for its in ledgers):
        return True  # not known
    recorded = [[one.kind for one in its.exchanges] for its in ledgers]
    return any({"broadcast", "all-gather"} & {*kinds[: len(kinds) // 2]} for kinds in recorded)


def _read(path: Path) -> tuple[Weights, Weights]:
    """The final and the initial weights."""
    with np.load(path) as file:
        ends, begins = ((file[f"{name}_0"], file[f"{name}_1"]) for name in ("end", "begin"))
    return ends, begins


def _judge_ranks(
    rows: Rows, found: Sequence[tuple[Weights, Weights]], saved: Sequence[int]
) -> Verdict:
    (first, begin), (second, other) = found
    alone = [_trained([rows], [one], _RATE) for one in (begin, other)]
    if _away(first, alone[0]) < _EQUAL and _away(second, alone[1]) < _EQUAL:
        return not_yet("Each process trained its own model, on all rows.")
    if _away(first, second) < _EQUAL:
        return _judge_steps(rows, (begin, other), first, saved)
    if _away(_apart(begin, other), _apart(first, second)) < _EQUAL:
        return wrong(
            "The ranks' weights differ by exactly as much as at the beginning: all made the same"
            " steps from different initial weights."
        )
    return wrong("The ranks' weights differ, because each made different steps.")


def _judge_steps(
    rows: Rows, begins: Sequence[Weights], end: Weights, saved: Sequence[int]
) -> Verdict:
    def is_end_of(read: Sequence[Rows], rate: float) -> bool:
        # The callback broadcasts after the first step, which uses both ranks' gradients.
        both = (begins, [begins[0]] * _RANKS)
        return any(_away(end, _trained(read, each, rate)) < _EQUAL for each in both)

    shared = [(rows[0][rank::_RANKS], rows[1][rank::_RANKS]) for rank in range(_RANKS)]
    if is_end_of(shared, _RATE):
        return wrong(
            "The weights are equal, but the steps were as long as those of one process,"
            " although each uses the rows of two."
        )
    if any(is_end_of([rows] * _RANKS, rate) for rate in (_RATE, _RANKS * _RATE)):
        return wrong(
            f"A step used {_BATCH} different rows, not {_RANKS * _BATCH}: either both ranks read"
            " the same rows, or each takes half a batch."
        )
    if not is_end_of(shared, _RANKS * _RATE):
        return wrong("The weights are equal, but they are not those that the task's steps give.")
    if list(saved) != [0]:
        names = " and ".join(f"rank {rank}" for rank in saved) or "no rank"
        return wrong(f"The weights are right, but the file was saved by {names}.")
    words = "Both ranks trained the model of rank 0 together, and rank 0 saved it."
    if _away(end, _trained(shared, [begins[0]] * _RANKS, _RANKS * _RATE)) >= _EQUAL:
        words += " Only the first step averaged gradients of different weights."
    return right(words)


def _trained(read: Sequence[Rows], begins: Sequence[Weights], rate: float) -> Weights:
    """The linear model of rank 0 after an epoch of steps with the average gradient of all ranks.

    Args:
        read: the rows that each rank reads.
        begins: the weights with which each rank makes its first step; then all have rank 0's.
    """
    each = list(begins)
    for at in range(0, len(read[0][0]), _BATCH):
        gradients = [
            _gradient(images[at : at + _BATCH], labels[at : at + _BATCH], weights)
            for (images, labels), weights in zip(read, each, strict=True)
        ]
        kernel, bias = each[0]
        kernel = kernel - rate * sum(one[0] for one in gradients) / len(gradients)
        bias = bias - rate * sum(one[1] for one in gradients) / len(gradients)
        each = [(kernel, bias)] * len(each)
    return each[0]


def _gradient(images: Any, labels: Any, weights: Weights) -> Weights:
    """The gradient of the mean cross-entropy."""
    logits = images @ weights[0] + weights[1]
    chances = np.exp(logits - logits.max(1, keepdims=True))
    error = chances / chances.sum(1, keepdims=True) - np.eye(10)[labels]
    return images.T @ error / len(images), error.mean(0)


def _apart(a: Weights, b: Weights) -> Weights:
    return a[0] - b[0], a[1] - b[1]


def _away(a: Weights, b: Weights) -> float:
    return max(float(np.abs(one).max()) for one in _apart(a, b))

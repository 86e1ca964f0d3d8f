"""00-2: write a ring all-reduce."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

#: Who sent, to whom, and what.
_Sending = tuple[int, int, Any]


class _WrongWorker(Exception):
    """Something was sent from or to a worker that does not exist."""


class _Wire:
    """Carries arrays between workers and records who sent what to whom.

    Args:
        noise: deliver random numbers instead, the same ones each time.
    """

    def __init__(self, workers: int, *, noise: bool = False) -> None:
        self.workers = workers
        self.bytes: dict[tuple[int, int], int] = defaultdict(int)
        self.sent: list[_Sending] = []
        self._noise = np.random.default_rng(0) if noise else None

    def send(self, source: Any, target: Any, array: Any) -> Any:
        ends = [end for end in (source, target) if not self._is_worker(end)]
        if ends:
            raise _WrongWorker(
                f"With {self.workers} workers, something was sent from or to worker"
                f" {ends[0]!r:.40}. Workers are numbered from 0 to {self.workers - 1}."
            )
        copy = np.array(array)
        if source == target:
            return copy
        self.bytes[int(source), int(target)] += copy.nbytes
        self.sent.append((int(source), int(target), copy))
        return copy if self._noise is None else self._noise.random(copy.shape)

    def _is_worker(self, end: Any) -> bool:
        return isinstance(end, (int, np.integer)) and bool(0 <= end < self.workers)


#: Workers, and numbers in each array. The last array cannot be cut into equal chunks.
_RINGS = ((2, 6), (3, 6), (4, 12), (5, 10), (3, 7))


def check(work: Work) -> Verdict:
    function = work.value("ring_all_reduce")
    if function is None:
        return not_yet("There is no ring_all_reduce yet.")
    if not callable(function):
        return wrong("ring_all_reduce is no longer a function.")
    sent: dict[tuple[int, int], Mapping[tuple[int, int], int]] = {}
    for workers, length in _RINGS:
        # Powers of two: each sum shows which workers contributed.
        arrays = [2.0 ** (worker * 3) * np.arange(1.0, length + 1.0) for worker in range(workers)]
        given = [array.copy() for array in arrays]
        wire = _Wire(workers)
        try:
            result = function(given, wire.send)
        except _WrongWorker as error:
            return wrong(str(error))
        except Exception as error:
            return wrong(
                f"{workers} workers, {length} numbers each: ring_all_reduce raises"
                f" {type(error).__name__}: {error}"
            )
        if result is None and not wire.bytes:
            return not_yet("ring_all_reduce returns None.")
        problem = _problem(arrays, given, result) or _way(wire, arrays[0].nbytes)
        if problem := problem or _unsent(function, arrays):
            return wrong(f"{workers} workers, {length} numbers each: {problem}")
        sent[workers, length] = wire.bytes
    workers, length = 4, 12
    most = max(sent[workers, length].values()) / (8 * length)
    return right(
        f"The sums are right with 2 to 5 workers, even when the chunks cannot be equal. With"
        f" {workers} workers, each sent {most:g} times the size of its array, all to one other"
        " worker."
    )


def _problem(arrays: list[Any], given: list[Any], result: Any) -> str:
    """What is wrong with the result; empty if nothing is."""
    workers, total = len(arrays), np.sum(arrays, axis=0)
    if len(given) != workers or not all(map(_equal, given, arrays)):
        return (
            "the arrays that were passed in have changed. Work on copies: a worker's gradients are"
            " still needed."
        )
    try:
        results = [np.asarray(array, dtype=float) for array in result]
    except (TypeError, ValueError):
        return f"the result is {type(result).__name__}, not a list of one array per worker."
    if len(results) != workers or any(array.shape != total.shape for array in results):
        return (
            f"the result is not a list of {workers} arrays, one per worker, each of"
            f" {len(total)} numbers."
        )
    if all(_equal(array, total) for array in results):
        return ""
    if all(_equal(array, total / workers) for array in results):
        return "every worker has the mean. Return the sum."
    bad = np.flatnonzero(np.any([array != total for array in results], axis=0))
    remainder = len(total) % workers
    if remainder and np.array_equal(bad, np.arange(len(total))[-remainder:]):
        return (
            f"the end of the result is wrong ({len(bad)} of {len(total)} numbers): it belongs to no"
            f" chunk, because {len(total)} is not divisible by {workers}."
        )
    if any(np.any(array > total) for array in results):
        return (
            "some numbers are larger than the sums: something was added more than once. In the"
            " second round, an arriving chunk is complete already."
        )
    correct = [np.count_nonzero(array == total) for array in results]
    if all(0 < count < len(total) for count in correct):
        return (
            f"each worker has some sums (worker 0: {correct[0]} of {len(total)}), but no worker has"
            " all: the complete chunks have not reached everyone."
        )
    bad_worker = next(w for w, array in enumerate(results) if not _equal(array, total))
    place = int(np.flatnonzero(results[bad_worker] != total)[0])
    return (
        f"number {place} of worker {bad_worker} is {results[bad_worker][place]:g}; the sum is"
        f" {total[place]:g}."
    )


def _way(wire: _Wire, size: int) -> str:
    """What is wrong with who sent how much to whom; empty if nothing is."""
    workers = wire.workers
    if not wire.bytes:
        return (
            "the sums are right, but nothing was sent. Here all arrays are in one memory; a real"
            " worker gets other workers' numbers only if they are sent."
        )
    sent = [sum(n for (source, _), n in wire.bytes.items() if source == w) for w in range(workers)]
    *others, last = (f"{count / size:.3g}" for count in sent)
    shown = f"the workers send {', '.join(others)} and {last} times the size of an array"
    targets = [{target for source, target in wire.bytes if source == w} for w in range(workers)]
    if workers > 2 and max(sent) > 1.5 * min(sent):
        busiest = sent.index(max(sent))
        return (
            f"the sums are right, but worker {busiest} does most of the work:"
            f" {shown}. In a ring, all send the same amount."
        )
    if any(len(receivers) > 1 for receivers in targets):
        return "the sums are right, but a worker sends to several others: that is not a ring."
    # Unequal chunks: the largest may be one number longer.
    allowed = 2 * (workers - 1) * 8 * math.ceil(size / 8 / workers)
    if max(sent) > allowed:
        return (
            f"the sums are right, but too much is sent: {shown}, where"
            f" {2 * (workers - 1) / workers:.3g} times would be enough. Are whole arrays"
            " passed on, or is there a step too many?"
        )
    return ""


def _unsent(function: Any, arrays: list[Any]) -> str:
    """Which numbers a worker gets without the wire; empty if none.

    The wire delivers noise, so what a worker sends and returns depends on its own array alone,
    whatever the others have.
    """
    sent, result = _with_noise(function, arrays)
    for worker, own in enumerate(arrays):
        others = [array if array is own else array + 1.0 for array in arrays]
        sent_now, result_now = _with_noise(function, others)
        if not _same(_of(worker, sent), _of(worker, sent_now)):
            return (
                f"the sums are right, but worker {worker} sends other workers' numbers that it"
                " never received: they were read from memory, which a real worker cannot do."
            )
        if not _equal(result[worker], result_now[worker]):
            return (
                f"the sums are right, but worker {worker} does not compute them from what arrives:"
                " it reads the others' arrays from memory. Use what `send` returns."
            )
    return ""


def _with_noise(function: Any, arrays: list[Any]) -> tuple[list[_Sending], Any]:
    wire = _Wire(len(arrays), noise=True)
    result = function([array.copy() for array in arrays], wire.send)
    return wire.sent, result


def _of(worker: int, sent: list[_Sending]) -> list[Any]:
    return [array for source, _, array in sent if source == worker]


def _same(these: list[Any], those: list[Any]) -> bool:
    return len(these) == len(those) and all(map(_equal, these, those))


def _equal(these: Any, those: Any) -> bool:
    return bool(np.shape(these) == np.shape(those) and np.allclose(these, those))

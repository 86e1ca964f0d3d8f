"""15-3: exchange while you compute."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array

#: How many numbers each gradient has (8 bytes each), and the limit in bytes.
_CASES = (
    ((5, 40, 3, 60, 8, 2), 256),
    ((10, 10, 10, 10), 160),
    ((3, 4), 4096),
    ((30,), 64),
    ((1, 100, 1, 1), 400),
)


class _Backward:
    """A backward pass and its exchanges, and what was done in which order."""

    def __init__(self, sizes: tuple[int, ...], limit: int) -> None:
        random = np.random.default_rng()
        self.own = [random.normal(size=size) for size in sizes]
        self.others = [random.normal(size=size) for size in sizes]
        self.limit = limit
        self.computed = self.exchanged = 0  # gradients
        self.early = ""  # the first thing that was done wrong, too early, or too late

    def gradients(self) -> Iterator[Any]:
        for gradient in self.own:
            waiting = self.own[self.exchanged : self.computed]
            if sum(one.nbytes for one in waiting) >= self.limit:
                these = _called(self.exchanged, self.computed)
                self._note(
                    f"gradient {self.computed} was computed although a bucket was full: the"
                    f" exchange of {these} had not started."
                )
            self.computed += 1
            yield gradient.copy()

    def start(self, vector: Any) -> _Exchange:
        array = as_array(vector)
        array = None if array is None else array.copy()
        begin, size, end = self.exchanged, 0, self.exchanged
        while end < self.computed and array is not None and size < array.size:
            size += self.own[end].size
            end += 1
        if array is not None and not array.size:
            self._note("an exchange is started with an empty vector.")
            return _Exchange(self, vector, array, array)
        bucket = self.own[begin:end]
        if not bucket or array is None or not _equal(array, np.concatenate(bucket)):
            if array is not None and array.shape == (size,):
                these = _called(begin, end)
                self._note(f"an exchange has the length of {these}, but different numbers.")
            self._note(
                f"an exchange does not begin with gradient {begin}, or has only part of a gradient."
            )
            return _Exchange(self, vector, array, np.zeros(np.shape(vector)))
        if sum(one.nbytes for one in bucket) < self.limit and end < len(self.own):
            self._note(
                f"the exchange of gradient {end - 1} is started, but its bucket is not full."
            )
        self.exchanged = end
        return _Exchange(self, vector, array, array + np.concatenate(self.others[begin:end]))

    def waits(self) -> None:
        if self.computed < len(self.own):
            made = f"{self.computed} of {len(self.own)}"
            self._note(f"`overlapped` waits for a result after {made} gradients.")

    def changed(self) -> None:
        self._note("a vector was changed between `start` and `.result()`: a copy is missing.")

    def _note(self, words: str) -> None:
        self.early = self.early or words


class _Exchange:
    def __init__(self, backward: _Backward, vector: Any, before: Any, total: Any) -> None:
        self._backward, self._total = backward, total
        self._vector, self._before = vector, before

    def result(self) -> Any:
        self._backward.waits()
        if self._before is not None and not _equal(as_array(self._vector), self._before):
            self._backward.changed()
        return self._total.copy()


def check(work: Work) -> Verdict:
    function = work.value("overlapped")
    if not callable(function):
        return not_yet("There is no function `overlapped`.")
    for sizes, limit in _CASES:
        backward = _Backward(sizes, limit)
        listed = ", ".join(str(8 * size) for size in sizes)
        those = "gradients" if len(sizes) > 1 else "a gradient"
        where = f"With {those} of {listed} bytes and a limit of {limit}:"
        try:
            found = function(backward.gradients(), backward.start, limit)
        except Exception as error:
            return wrong(f"{where} `overlapped` raises {type(error).__name__}: {error}")
        if found is None and not backward.computed:
            return not_yet("`overlapped` returns None.")
        if problem := backward.early or _problem(found, backward):
            return wrong(f"{where} {problem}")
    return right(
        "Each bucket is exchanged while later gradients are computed, and the sums are right."
    )


def _problem(found: Any, backward: _Backward) -> str:
    """What is wrong with the result; empty if nothing is."""
    count = len(backward.own)
    if backward.exchanged < count:
        left = ", ".join(map(str, range(backward.exchanged, count)))
        return f"gradients that are in no exchange: {left}."
    totals = [own + other for own, other in zip(backward.own, backward.others, strict=True)]
    if not isinstance(found, (list, tuple)) or len(found) != count:
        return "`overlapped` does not return a list with one vector for each gradient."
    for at, (one, total) in enumerate(zip(found, totals, strict=True)):
        if not _equal(as_array(one), total):
            return f"returned vector {at} is not the sum of gradient {at} over all workers."
    return ""


def _called(begin: int, end: int) -> str:
    """The gradients from one number up to another, which is excluded."""
    return f"gradients {begin} to {end - 1}" if end > begin + 1 else f"gradient {begin}"


def _equal(array: Any, wanted: Any) -> bool:
    """Whether they are the same numbers; a learner may compute with 32 bits."""
    if array is None or array.shape != wanted.shape:
        return False
    return np.allclose(array, wanted, atol=1e-6)

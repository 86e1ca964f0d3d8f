"""19-3: equal, rounded or different."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

_WORDS = ("equal", "rounding", "different")

#: How many sums a case has.
_SUMS = 8

#: The index of the sum that is replaced by a special value.
_PLACE = 3


@dataclass(frozen=True)
class _Case:
    """Two vectors of sums, what they are, and the answers that are right."""

    what: str
    answers: tuple[str, ...]
    a: Any
    b: Any
    terms: int
    sizes: Any


def check(work: Work) -> Verdict:
    function = work.value("compare")
    if not callable(function):
        return not_yet("There is no function `compare`.")
    for number, case in enumerate(_cases()):
        try:
            found = function(case.a.copy(), case.b.copy(), case.terms, case.sizes.copy())
        except Exception as error:
            return wrong(f"{case.what}: `compare` raises {type(error).__name__}: {error}")
        if found is None and not number:
            return not_yet("`compare` returns None.")
        if not isinstance(found, str) or found not in _WORDS:
            return wrong(f"{case.what}: `compare` does not return one of the three words.")
        if found not in case.answers:
            with np.errstate(invalid="ignore"):
                off = float(np.abs(case.a.astype("float64") - case.b).max())
            return wrong(
                f"{case.what}: the largest difference is {off:.2g}, and `compare` returns"
                f' "{found}".'
            )
    return right("`compare` is right for large and small sums, few and many terms, NaN and inf.")


def _cases() -> Iterator[_Case]:
    random = np.random.default_rng()
    yield _equal(random, "A vector and its copy")
    for _ in range(3):
        yield _reordered(random.uniform(1, 2, size=(60, _SUMS)), "Sums of 60 terms in two orders")
        yield _lost(random.uniform(1, 2, size=(20, _SUMS)), "A sum lacks one of 20 terms")
    small = random.uniform(1e-10, 2e-10, size=(20, _SUMS))
    yield _lost(small, "One of 20 terms is missing in a sum of small numbers")
    large = random.normal(1e9, 1e8, size=(50, _SUMS))
    yield _reordered(large, "Sums of 50 large numbers in two orders")
    half = random.normal(size=(2000, _SUMS))
    cancelling = np.concatenate([half, random.permutation(-half)])
    yield _reordered(cancelling, "Sums of 4000 terms that cancel in part")
    same = np.repeat(random.uniform(0.09, 0.11, size=(1, _SUMS)), 200_000, axis=0)
    yield _reordered(same, "Sums of 200000 equal terms, added one by one, and in pairs")
    uneven = random.uniform(1, 2, size=(20, _SUMS)) * 10.0 ** np.arange(_SUMS)
    yield _lost(uneven, "One of 20 terms is missing in a sum next to much larger sums", at=0)
    zeros = random.uniform(1, 2, size=(60, _SUMS)) * (np.arange(_SUMS) > 0)
    yield _reordered(zeros, "Sums of 60 terms in two orders, where one sum has only zeros")
    yield _rounded_up_and_down(random)
    many = random.uniform(1, 2, size=(20, 50 * _SUMS))
    yield _lost(many, f"One of {50 * _SUMS} sums lacks one of 20 terms")
    yield from _at_the_bound()
    one = random.uniform(1, 2, size=_SUMS).astype("float32")
    sizes = np.abs(one).astype("float64")
    next_one = np.nextafter(one, np.float32(4))
    yield _Case('"Sums" of a single term, one bit apart', ("different",), one, next_one, 1, sizes)
    case = _equal(random, "Vectors with 0.0 and -0.0 at one place", 0.0)
    case.b[_PLACE] = -0.0
    # The values are equal, but no order of additions turns one into the other.
    yield replace(case, answers=("rounding", "different"))
    for value in (np.nan, np.inf):
        yield _equal(random, f"A vector with {value} and its copy", value)
        case = _reordered(random.normal(size=(60, _SUMS)), "")
        case.b[int(random.integers(_SUMS))] = value
        what = f"Only one vector has {value}"
        yield replace(case, what=what, answers=("different",))
        what = f"Sums of 60 terms in another order, where one sum is {value} in both vectors"
        case = _reordered(random.normal(size=(60, _SUMS)), what, apart=2)
        case.a[_PLACE] = case.b[_PLACE] = value
        yield case
    case = _equal(random, "inf in one vector, and -inf at the same place of the other", np.inf)
    case.b[_PLACE] = -np.inf
    yield replace(case, answers=("different",))


def _equal(random: Any, what: str, value: float | None = None) -> _Case:
    terms = random.normal(size=(60, _SUMS)).astype("float32")
    sums = terms.sum(axis=0)
    if value is not None:
        sums[_PLACE] = value
    return _Case(what, ("equal",), sums, sums.copy(), len(terms), _sizes(terms))


def _reordered(numbers: Any, what: str, apart: int = 1) -> _Case:
    """Sums in the order of the terms, and in pairs; the bits of some differ."""
    terms = numbers.astype("float32")
    while True:
        a = np.cumsum(terms, axis=0, dtype="float32")[-1]
        b = _in_pairs(terms)
        if (a != b).sum() >= apart:
            return _Case(what, ("rounding",), a, b, len(terms), _sizes(terms))
        terms = np.random.default_rng().permutation(terms)


def _rounded_up_and_down(random: Any) -> _Case:
    """Sums that one run rounds down at each addition, and the other up."""
    few = 3 * int(random.integers(10, 100))
    scales = 2.0 ** random.integers(-20, 20, size=_SUMS)
    terms = (np.array([1, *[2.0**-24] * few])[:, None] * scales).astype("float32")
    threes = np.concatenate([terms[:1], terms[1::3] + terms[2::3] + terms[3::3]])
    a, b = (np.cumsum(one, axis=0, dtype="float32")[-1] for one in (terms, threes))
    what = f"Sums of {len(terms)} terms, in one run all rounded down, in the other up"
    return _Case(what, ("rounding",), a, b, len(terms), _sizes(terms))


def _lost(numbers: Any, what: str, at: int | None = None) -> _Case:
    """The same sums, but one lacks its last term."""
    terms = numbers.astype("float32")
    fewer = terms.copy()
    fewer[-1, np.random.default_rng().integers(_SUMS) if at is None else at] = 0
    a, b = (np.cumsum(one, axis=0, dtype="float32")[-1] for one in (terms, fewer))
    return _Case(what, ("different",), a, b, len(terms), _sizes(terms))


def _at_the_bound() -> Iterator[_Case]:
    """As far apart as two orders of three terms can be, and a little farther."""
    last = 2.0**-23  # the last digit of a number from 1 to 2
    # A tie is rounded to the even number: up in the first order, down in the second.
    terms = np.repeat([[1 + last], [last / 2], [-last / 2]], _SUMS, axis=1).astype("float32")
    a, b = (terms[0] + terms[at] + terms[3 - at] for at in (1, 2))
    yield _Case("Sums of three terms in two orders", ("rounding",), a, b, 3, _sizes(terms))
    terms = np.repeat([[1], *6 * [[last]], *2 * [[2 * last]]], _SUMS, axis=1).astype("float32")
    what = "Sums of nine terms, where one run leaves out the eight small ones"
    yield _Case(what, ("different",), np.cumsum(terms, axis=0)[-1], terms[0], 9, _sizes(terms))


def _in_pairs(terms: Any) -> Any:
    while len(terms) > 1:
        odd = terms[len(terms) // 2 * 2 :]
        terms = np.concatenate([terms[:-1:2] + terms[1::2], odd])
    return terms[0]


def _sizes(terms: Any) -> Any:
    return np.abs(terms).sum(axis=0, dtype="float64")

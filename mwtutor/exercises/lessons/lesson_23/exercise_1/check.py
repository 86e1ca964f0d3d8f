"""23-1: what weights prove."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

_WORDS = ("apart", "together", "unclear")
_SHAPES = ((4, 3), (3,), (3, 2), (2,))


def check(work: Work) -> Verdict:
    function = work.value("verdict")
    if not callable(function):
        return not_yet("There is no function `verdict`.")
    for number, (what, first, last, answer) in enumerate(_cases()):
        try:
            found = function(_copy(first), _copy(last))
        except Exception as error:
            return wrong(f"{what}: `verdict` raises {type(error).__name__}: {error}")
        if found is None and not number:
            return not_yet("`verdict` returns None.")
        if not isinstance(found, str) or found not in _WORDS:
            return wrong(f"{what}: `verdict` does not return one of the three words.")
        if found != answer:
            return wrong(f'{what}: `verdict` returns "{found}".')
    return right("It compares every weight of every pair of processes, before and after training.")


def _copy(processes: list[list[Any]]) -> list[list[Any]]:
    return [[one.copy() for one in process] for process in processes]


def _cases() -> Iterator[tuple[str, list[list[Any]], list[list[Any]], str]]:
    random = np.random.default_rng()
    for count in (2, 3, 4):
        own, more = (_all(random, count) for _ in range(2))
        same, end = ([_weights(random)] * count for _ in range(2))
        yield f"{count} processes with different weights before and after", own, more, "apart"
        yield f"{count} processes that began differently and ended equal", own, end, "together"
        yield f"{count} processes that were equal before and after", same, end, "unclear"
        rounded = _copy(end)
        for process in rounded[1:]:
            process[0] += random.choice([-1, 1], _SHAPES[0]).astype("float32") * np.float32(1e-6)
        yield f"Weights of {count} processes that differ by rounding", own, rounded, "together"
        for array in range(len(_SHAPES)):
            lower = array == 2
            other = _copy(end)
            other[-1][array].flat[-1] += np.float32(-0.01 if lower else 0.01)
            where = f"In the last of {count} processes, one weight of array {array} is"
            yield f"{where} {'smaller' if lower else 'larger'}", same, other, "apart"
        turned = _copy(end)
        turned[-1][0] = turned[-1][0][::-1].copy()
        yield f"{count} processes whose weights have the same sums", same, turned, "apart"
        near = _copy(end)
        near[-1][0] += np.float32(0.0006)
        where = f"In the last of {count} processes,"
        what = f"{where} all weights of array 0 are larger by 0.0006"
        yield what, same, near, "unclear"
        large = _copy(end)
        for process in large:
            process[0].flat[0] = 1000
        off = _copy(large)
        off[-1][0].flat[0] += np.float32(0.004)
        yield f"{where} one weight near 1000 is larger by 0.004", large, off, "apart"
    for count in (3, 4):
        same = [_weights(random)] * count
        around = _copy(same)
        around[1][0] += np.float32(0.0008)
        around[-1][0] -= np.float32(0.0008)
        what = f"{count} processes, of which two differ from process 0 by less than 0.001, and from"
        what += " each other by more"
        yield f"{what}, after `fit`", same, around, "apart"
        yield f"{what}, before `fit`", around, same, "together"


def _weights(random: Any) -> list[Any]:
    return [random.normal(size=shape).astype("float32") for shape in _SHAPES]


def _all(random: Any, count: int) -> list[list[Any]]:
    return [_weights(random) for _ in range(count)]

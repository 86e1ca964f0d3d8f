"""11-1: cut what is large."""

from __future__ import annotations

from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import of_chief

_CUT = "cut_into"

_IS_NONE = "partitioner is None"

SESSION = (_CUT, _IS_NONE)

#: The number of parts along each axis that the partitioner must make.
_WANTED = {"table": [2, 1], "kernel": [1, 1], "bias": [1]}


def check(work: Work) -> Verdict:
    found = of_chief(work, _CUT)
    if not _is_cut(found):
        if of_chief(work, _IS_NONE) is False:
            return wrong(
                "`partitioner` did not return the numbers of parts for the three variables."
            )
        return not_yet("There is no partitioner: every variable stays whole.")
    parts = {name: _product(found[name]) for name in _WANTED}
    if found == _WANTED:
        return right("The table is in two parts, one for each server; kernel and bias are whole.")
    if parts["bias"] > 1:
        return wrong(f"Even the bias, of 128 bytes, is in {parts['bias']} parts.")
    if parts["table"] > 2:
        return wrong(f"The table is in {parts['table']} parts, but there are only two servers.")
    if parts["table"] < 2:
        return wrong("The table is whole.")
    if parts["kernel"] > 1:
        return wrong(
            "The table is in two parts, but the kernel (100,352 bytes) is cut, too: each read of"
            " the kernel needs two servers."
        )
    return wrong("The table is not cut along its rows.")


def _is_cut(found: Any) -> bool:
    return isinstance(found, dict) and all(
        isinstance(found.get(name), list)
        and len(found[name]) == len(axes)
        and all(type(count) is int and count > 0 for count in found[name])
        for name, axes in _WANTED.items()
    )


def _product(counts: list[int]) -> int:
    product = 1
    for count in counts:
        product *= count
    return product

"""23-2: arrays for one process."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

_Row = tuple[Any, ...]

#: Steps, the global batch, and the number of processes.
_SIZES = ((2, 4, 2), (1, 6, 3), (3, 8, 4), (5, 12, 2), (4, 5, 1), (3, 6, 6), (2, 64, 4))
_UNEVEN = ((2, 5, 2), (1, 8, 3), (3, 2, 4))


def check(work: Work) -> Verdict:
    function = work.value("own")
    if not callable(function):
        return not_yet("There is no function `own`.")
    for number, (steps, batch, processes) in enumerate(_SIZES):
        what = f"{steps * batch} rows, a batch of {batch}, {processes} process"
        what += "es" if processes > 1 else ""
        rows = np.random.default_rng().permutation(10_000)[: steps * batch]
        if number % 2:
            rows = np.stack([rows, rows + 1, rows % 7], axis=1)
            what += ", three numbers in each row"
        parts = []
        for process in range(processes):
            try:
                found = function(rows.copy(), batch, processes, process)
            except Exception as error:
                return wrong(f"{what}: `own` raises {type(error).__name__}: {error}")
            if found is None and not number and not process:
                return not_yet("`own` returns None.")
            try:
                mine, size = found
                shape = np.shape(mine)
                parts.append((_rows(mine), operator.index(size)))
            except (TypeError, ValueError):
                return wrong(f"{what}: `own` does not return rows and a whole number.")
            if shape[1:] != rows.shape[1:]:
                return wrong(
                    f"{what}: `own` returns an array of shape {shape} from one of shape"
                    f" {rows.shape}: these are not its rows."
                )
        if fault := _fault(parts, _rows(rows), batch, processes):
            return wrong(f"{what}: {fault}")
    return _uneven(function)


def _rows(array: Any) -> list[_Row]:
    return [tuple(np.ravel(row).tolist()) for row in np.asarray(array)]


def _fault(
    parts: list[tuple[list[_Row], int]], rows: list[_Row], batch: int, processes: int
) -> str:
    """What is wrong with the steps that the processes take; empty if nothing is."""
    used = [row for mine, _ in parts for row in mine]
    if len(used) != len(set(used)):
        return "a row is used by two processes, or twice by one."
    if any(size != batch // processes for _, size in parts):
        sizes = ", ".join(str(size)[:20] for _, size in parts)
        return f"the batch sizes are {sizes[:60]}: a step uses {sum(s for _, s in parts)} rows."
    for step, start in enumerate(range(0, len(rows), batch)):
        together = [row for mine, size in parts for row in mine[step * size : (step + 1) * size]]
        if sorted(together) != sorted(rows[start : start + batch]):
            return f"step {step + 1} does not use the rows of TensorFlow's step {step + 1}."
    if len(used) != len(rows):
        return f"all processes together have {len(used)} rows, not {len(rows)}."
    return ""


def _uneven(function: Callable[..., Any]) -> Verdict:
    for steps, batch, processes in _UNEVEN:
        what = f"A batch of {batch} for {processes} processes"
        try:
            function(np.arange(steps * batch), batch, processes, 0)
        except ValueError:
            continue
        except Exception as error:
            return wrong(f"{what}: `own` raises {type(error).__name__}, not ValueError.")
        return wrong(f"{what}: `own` does not raise ValueError.")
    return right("With 1 to 6 processes, each step uses the rows of TensorFlow's step.")

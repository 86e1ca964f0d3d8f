"""03-2: arrays in `fit`."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mwtutor.datasets import digits
from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.lesson_03.exercise_1.check import EACH, ROWS, listed

_STEPS = ROWS // (2 * EACH)


def check(work: Work) -> Verdict:
    run = work.run("arrays")
    if run is None or run.outcome is None:
        return not_yet("arrays.py has not finished.")
    if not run.outcome.ok:
        reason = run.outcome.reason
        if "scope" in reason:
            return wrong(f"The run {run.outcome.status}. The error is about the scope: {reason}.")
        return wrong(f"The run {run.outcome.status}: {reason}.")
    found = [_result(work.folder / f"arrays-{index}.npz") for index in range(2)]
    results = [one for one in found if one]
    if not results:
        return not_yet("No model was trained.")
    if len(results) != 2:
        return wrong("One of the two workers trained no model.")
    return _judge(results, met=not run.state.never_met())


def _judge(results: list[Mapping[str, Any]], *, met: bool) -> Verdict:
    """Judge what both workers wrote, and whether they were in one cluster."""
    sizes = [int(one["sizes"].max(initial=0)) for one in results]
    taken = [int(one["sizes"].sum()) for one in results]
    weights = [one["weights"] for one in results]
    if not any(taken):
        if any(map(np.any, weights)):
            return wrong(
                "The model's weights are not zero, but no step was recorded. Create the model with"
                " digits_setup.build_and_compile_linear_model(), and call `fit`."
            )
        return wrong("The model was created, but `fit` took no step with it.")
    if not met:
        return wrong("No cluster was formed: each worker trained its own model, alone.")
    if sum(taken) != ROWS:
        steps = max(len(one["sizes"]) for one in results)
        seen = (
            f"Together the workers took {sum(taken)} rows, {listed(taken)}, in {steps} steps; one"
            f" epoch has {ROWS} rows."
        )
        if 2 * sum(taken) == ROWS and _is_part_of_a_part(weights[0]):
            seen += " `fit` divides the data that you give it: each worker gave it a half, and got"
            seen += " a half of that."
        return wrong(seen)
    if set(sizes) != {EACH}:
        return wrong(f"In a step the workers got {listed(sizes)} rows, not {EACH} each.")
    if not np.array_equal(*weights):
        return wrong("The two workers have different weights: they did not train one model.")
    expected = _one_process()
    if weights[0].shape != expected.shape:
        return wrong("The model is not the one from digits_setup.build_and_compile_linear_model().")
    if not np.allclose(weights[0], expected, atol=1e-4):
        far = float(np.abs(weights[0] - expected).max())
        return wrong(
            f"The workers agree, but their weights are up to {far:.2g} away from those of one"
            " process that takes the rows in order, once."
        )
    return right("Both workers have the weights of one process with a batch of 64.")


def _result(path: Path) -> Mapping[str, Any]:
    """What a worker wrote; empty if that cannot be read, or is something else."""
    try:
        with np.load(path) as file:
            return {"weights": file["weights"].ravel(), "sizes": file["sizes"].astype(int).ravel()}
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return {}


def _is_part_of_a_part(weights: npt.NDArray[np.float64]) -> bool:
    """Whether each worker gave `fit` half of the rows, and `fit` divided each batch of that
    half."""
    rows = np.arange(ROWS)
    for halves in ((rows[::2], rows[1::2]), np.split(rows, 2)):
        batches = []
        for at in range(0, ROWS // 2, 2 * EACH):
            (first, _), (_, second) = (
                np.array_split(half[at : at + 2 * EACH], 2) for half in halves
            )
            batches.append(np.concatenate([first, second]))
        trained = _trained(batches)
        if weights.shape == trained.shape and np.allclose(weights, trained, atol=1e-4):
            return True
    return False


@functools.cache
def _one_process() -> npt.NDArray[np.float64]:
    """The weights after one epoch in batches of 64 rows, in order."""
    return _trained(np.split(np.arange(ROWS), _STEPS))


def _trained(batches: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.float64]:
    """The weights of a softmax regression from zeros after these batches, computed with NumPy
    alone."""
    images, labels = digits.load_split("train")
    rows = images[:ROWS].reshape(ROWS, -1) / 255.0
    wanted = np.eye(digits.NUM_CLASSES)[labels[:ROWS]]
    kernel, bias = np.zeros((rows.shape[1], digits.NUM_CLASSES)), np.zeros(digits.NUM_CLASSES)
    for x, y in ((rows[batch], wanted[batch]) for batch in batches):
        powers = np.exp(x @ kernel + bias)
        error = (powers / powers.sum(axis=1, keepdims=True) - y) / len(x)
        kernel, bias = kernel - 0.1 * x.T @ error, bias - 0.1 * error.sum(axis=0)
    return np.concatenate([kernel.ravel(), bias])

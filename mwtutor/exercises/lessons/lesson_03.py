"""The exercises of lesson 03: Keras on two workers."""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mwtutor.datasets import digits
from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.slowest_worker import SLOWEST

#: Rows of the lesson's data, and how many a replica is to get in a step.
ROWS = 1344
EACH = 32

# 03-1: a global batch and steps for three workers


def _check_batch(work: Work) -> Verdict:
    chosen = (work.value("global_batch"), work.value("steps_per_epoch"))
    if any(value is None for value in chosen):
        return not_yet()
    if not all(map(_is_count, chosen)):
        return wrong("Both must be whole numbers above 0.")
    taken = [value for value in work.session.get("taken", {}).values() if isinstance(value, dict)]
    if not taken or any(one.get("chosen") != list(chosen) for one in taken):
        return not_yet("Nothing was trained with these numbers: execute the cells in between.")
    sizes = [max(map(len, one["rows"]), default=0) for one in taken]
    counts = np.bincount([row for one in taken for step in one["rows"] for row in step])
    counts = np.pad(counts, (0, max(0, ROWS - len(counts))))
    if set(sizes) != {EACH}:
        return wrong(
            f"The replicas got {_and(sizes)} rows in a step: what `batch` is given is shared out"
            " among them."
        )
    if counts.max() > 1:
        return wrong(
            f"{int((counts > 1).sum())} of the {ROWS} rows were seen more than once, up to"
            f" {counts.max()} times in the epoch. All replicas together have taken {counts.sum()}."
        )
    if unseen := int((counts == 0).sum()):
        shared = chosen[1] == ROWS // (3 * EACH) // 3
        why = " Every replica takes part in every step; the steps are not shared out." * shared
        return wrong(f"{unseen} of the {ROWS} rows were never seen.{why}")
    return right(f"Each replica got {EACH} rows in each step, and each row was seen once.")


def _is_count(value: Any) -> bool:
    """Whether it is a whole number above 0, of Python or of NumPy."""
    whole = isinstance(value, int | np.integer) and not isinstance(value, bool)
    return whole and bool(value > 0)


def _and(numbers: list[int]) -> str:
    return " and ".join(filter(None, [", ".join(map(str, numbers[:-1])), str(numbers[-1])]))


_BATCH = Exercise(
    id="03-1",
    title="a batch for three workers",
    task=(
        f"The data have {ROWS} rows. Choose `global_batch` and `steps_per_epoch` for three workers"
        f" with one replica each: in each step each replica is to get exactly {EACH} rows, and"
        " each row is to be seen exactly once in the epoch. The next cells train with your numbers"
        " on the three workers and note which row went where."
    ),
    stub="global_batch = None\nsteps_per_epoch = None\n",
    check=_check_batch,
    hints=(
        "A data set is batched for all replicas together. How many rows is that in a step?",
        "In one step, all replicas together take one global batch out of the data.",
        "The number of steps is the number of rows, divided by what one step takes.",
    ),
    solution="global_batch = 3 * 32\nsteps_per_epoch = 1344 // global_batch\n",
    reasoning=(
        "The data set is batched with the global batch size, and each of the three replicas gets a"
        " third of each batch: 96 for 32 each. One step then takes 96 rows out of the data, whoever"
        " works on them, so 1344 rows last for 14 steps. More workers mean fewer steps, not shorter"
        " steps of the same number."
    ),
    sabotages=(
        Sabotage(
            "the batch size is what one worker gets",
            "global_batch = 32\nsteps_per_epoch = 1344 // 32\n",
            "is shared out among them",
        ),
        Sabotage(
            "the number of steps is what it was on one worker",
            "global_batch = 96\nsteps_per_epoch = 1344 // 32\n",
            "times in the epoch",
        ),
        Sabotage(
            "the steps are shared out among the workers",
            "global_batch = 96\nsteps_per_epoch = 1344 // 96 // 3\n",
            "were never seen",
        ),
    ),
    session=("taken",),
)

# 03-2: `fit` with arrays, as one process

_STEPS = ROWS // (2 * EACH)


def _check_arrays(work: Work) -> Verdict:
    run = work.run("arrays")
    if run is None or run.outcome is None:
        return not_yet("arrays.py has not run to its end.")
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
        return wrong("One of the two workers has trained no model.")
    return _judge(results, met=not run.state.never_met())


def _judge(results: list[Mapping[str, Any]], *, met: bool) -> Verdict:
    """Judge what both workers have written, and whether they were in one cluster."""
    sizes = [int(one["sizes"].max(initial=0)) for one in results]
    taken = [int(one["sizes"].sum()) for one in results]
    weights = [one["weights"] for one in results]
    if not any(taken):
        return wrong("The model was made, but `fit` has taken no step with it.")
    if not met:
        return wrong("No cluster was formed: each worker has trained a model of its own, alone.")
    if sum(taken) != ROWS:
        steps = max(len(one["sizes"]) for one in results)
        seen = (
            f"Together the workers took {sum(taken)} rows, {_and(taken)}, in {steps} steps; one"
            f" epoch has {ROWS} rows."
        )
        if 2 * sum(taken) == ROWS and _is_part_of_a_part(weights[0]):
            seen += " `fit` shares out what it is given: each worker gave it a half, and of that a"
            seen += " half was left."
        return wrong(seen)
    if set(sizes) != {EACH}:
        return wrong(f"In a step the workers got {_and(sizes)} rows, not {EACH} each.")
    if not np.array_equal(*weights):
        return wrong("The two workers have different weights: they did not train one model.")
    expected = _one_process()
    if weights[0].shape != expected.shape:
        return wrong("The model is not the one of digits_setup.build_and_compile_linear_model().")
    if not np.allclose(weights[0], expected, atol=1e-4):
        far = float(np.abs(weights[0] - expected).max())
        return wrong(
            f"The workers agree, but their weights are up to {far:.2g} away from those of one"
            " process that takes the rows in their order, once."
        )
    return right("Both workers have the weights of one process with a batch of 64.")


def _result(path: Path) -> Mapping[str, Any]:
    """What a worker has written; empty if that cannot be read, or is something else."""
    try:
        with np.load(path) as file:
            return {"weights": file["weights"].ravel(), "sizes": file["sizes"].astype(int).ravel()}
    except (OSError, ValueError, KeyError, TypeError, EOFError):
        return {}


def _is_part_of_a_part(weights: npt.NDArray[np.float64]) -> bool:
    """Whether each worker has given `fit` half of the rows, which shared out each batch of that."""
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
    """The weights after one epoch in batches of 64 rows, in their order."""
    return _trained(np.split(np.arange(ROWS), _STEPS))


def _trained(batches: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.float64]:
    """The weights of a softmax regression from zeros after these batches, by NumPy alone."""
    images, labels = digits.load_split("train")
    rows = images[:ROWS].reshape(ROWS, -1) / 255.0
    wanted = np.eye(digits.NUM_CLASSES)[labels[:ROWS]]
    kernel, bias = np.zeros((rows.shape[1], digits.NUM_CLASSES)), np.zeros(digits.NUM_CLASSES)
    for x, y in ((rows[batch], wanted[batch]) for batch in batches):
        powers = np.exp(x @ kernel + bias)
        error = (powers / powers.sum(axis=1, keepdims=True) - y) / len(x)
        kernel, bias = kernel - 0.1 * x.T @ error, bias - 0.1 * error.sum(axis=0)
    return np.concatenate([kernel.ravel(), bias])


_ARRAYS_HEAD = """\
%%writefile arrays.py
import numpy as np
import tensorflow as tf

import digits_setup

strategy = tf.distribute.MultiWorkerMirroredStrategy()
index = strategy.cluster_resolver.task_id
images, labels = digits_setup.arrays()

"""

_ARRAYS_TAIL = """
if model is not None:
    sizes = [len(labels) for labels in digits_setup.noted]
    np.savez(f"arrays-{index}.npz", weights=digits_setup.flat(model), sizes=sizes)
"""


def _program(middle: str) -> str:
    return _ARRAYS_HEAD + middle + _ARRAYS_TAIL


_IN_SCOPE = """\
with strategy.scope():
    model = digits_setup.build_and_compile_linear_model()
"""

_ARRAYS = Exercise(
    id="03-2",
    title="arrays in `fit`",
    task=(
        "Complete `arrays.py`: make `digits_setup.build_and_compile_linear_model()`, and train it"
        f" for one epoch on the arrays `images` and `labels`, {EACH} rows on each of the two"
        " workers in each step. Both workers must end with the weights of one process that takes"
        " the rows in their order, 64 at a time. The check computes those with NumPy."
    ),
    stub=_program("model = None  # make it, and train it on images and labels\n"),
    check=_check_arrays,
    hints=(
        "Where must a model be made whose variables all workers share?",
        "`fit(images, labels, batch_size=...)` gives each worker its part of each batch. What is"
        " `batch_size` then?",
        "`fit` has an option that is on by default and changes the order of arrays.",
    ),
    solution=_program(
        _IN_SCOPE
        + "batch_size = 32 * strategy.num_replicas_in_sync\n"
        + "model.fit(images, labels, batch_size=batch_size, shuffle=False, verbose=2)\n"
    ),
    reasoning=(
        "The model is made in the scope, so its variables are mirrored; `fit` may be called"
        " outside, since the model remembers its strategy. Every worker gives `fit` the same"
        " arrays, and `fit` makes a data set of global batches out of them and shares it out:"
        " `batch_size` is the global one. `shuffle` is on by default for arrays; without it the"
        " rows come in their order."
    ),
    sabotages=(
        Sabotage(
            "`batch_size` is what one worker gets",
            _program(
                _IN_SCOPE + "model.fit(images, labels, batch_size=32, shuffle=False, verbose=2)\n"
            ),
            "In a step the workers got",
        ),
        Sabotage(
            "the strategy finds the model by itself",
            _program(
                "model = digits_setup.build_and_compile_linear_model()\n"
                "model.fit(images, labels, batch_size=64, shuffle=False, verbose=2)\n"
            ),
            "The error is about the scope",
        ),
        Sabotage(
            "each worker must be given its own half",
            _program(
                _IN_SCOPE
                + "images, labels = images[index::2], labels[index::2]\n"
                + "model.fit(images, labels, batch_size=64, shuffle=False, verbose=2)\n"
            ),
            "`fit` shares out what it is given",
        ),
        Sabotage(
            "arrays are taken in their order",
            _program(_IN_SCOPE + "model.fit(images, labels, batch_size=64, verbose=2)\n"),
            "takes the rows in their order",
        ),
    ),
)

EXERCISES = (_BATCH, _ARRAYS, SLOWEST)

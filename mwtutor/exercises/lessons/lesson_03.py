"""The exercises of lesson 03: Keras on two workers."""

from __future__ import annotations

import functools
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from mwtutor.datasets import digits
from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.run.run import Run

#: Rows of the lesson's data, and how many a replica is to get in a step.
ROWS = 1344
EACH = 32

# 03-1: a global batch and steps for three workers


def _check_batch(work: Work) -> Verdict:
    chosen = (work.value("global_batch"), work.value("steps_per_epoch"))
    if any(value is None for value in chosen):
        return not_yet()
    if not all(type(value) is int and value > 0 for value in chosen):
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
            f"One row was seen {counts.max()} times in the epoch. All replicas together have taken"
            f" {counts.sum()} rows, of {ROWS}."
        )
    if unseen := int((counts == 0).sum()):
        return wrong(
            f"{unseen} of the {ROWS} rows were never seen. Every replica takes part in every step;"
            " the steps are not shared out."
        )
    return right(f"Each replica got {EACH} rows in each step, and each row was seen once.")


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
    return _judge(results)


def _judge(results: list[Mapping[str, Any]]) -> Verdict:
    sizes = [int(one["sizes"].max(initial=0)) for one in results]
    total = sum(int(one["sizes"].sum()) for one in results)
    weights = [one["weights"] for one in results]
    if total == 2 * ROWS:
        return wrong(
            f"Each worker has trained on all {ROWS} rows: each has trained a model of its own,"
            " alone."
        )
    if total != ROWS:
        return wrong(
            f"Together the workers saw {total} of the {ROWS} rows: `fit` shares out what it is"
            " given, so a part of a part was left."
        )
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


@functools.cache
def _one_process() -> npt.NDArray[np.float64]:
    """The weights after one epoch of a softmax regression from zeros, computed by NumPy alone."""
    images, labels = digits.load_split("train")
    rows = images[:ROWS].reshape(ROWS, -1) / 255.0
    wanted = np.eye(digits.NUM_CLASSES)[labels[:ROWS]]
    kernel, bias = np.zeros((rows.shape[1], digits.NUM_CLASSES)), np.zeros(digits.NUM_CLASSES)
    for x, y in zip(np.split(rows, _STEPS), np.split(wanted, _STEPS), strict=True):
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

# 03-3: which worker is slow?

_PARTS = {
    "step": "whole",
    "before": "between",
    "computing": "computing",
    "waiting": "waiting",
    "rest": "rest",
}


def _check_slowest(work: Work) -> Verdict:
    slowest, run = work.value("slowest"), work.run("mystery")
    if not callable(slowest):
        return not_yet()
    if run is None or run.outcome is None or not run.outcome.ok:
        return not_yet("mystery.py has not run to its end.")
    times, culprit = _times(run), f"worker:{(run.spec.request.env or {}).get('CULPRIT')}"
    if culprit not in times:
        return not_yet("The run has noted no steps of the slow worker: launch it again.")
    named = slowest(_copy(times))
    if named is None:
        return not_yet()
    if not isinstance(named, str) or named not in times:
        return wrong(f"slowest(times) is {named!r:.60}, which is none of {', '.join(times)}.")
    if _goes_by(slowest, times, "step"):
        lengths = [f"{row['step']:.0f}" for row in times.values()]
        return wrong(
            f"You go by the length of a step: {', '.join(lengths)} ms. Training in step, all take"
            " as long, and what differs is chance."
        )
    if _goes_by(slowest, times, "waiting"):
        return wrong(
            f"You name {named}, because it waits most: {times[named]['waiting']:.0f} ms in each"
            " step. Whoever waits is ready."
        )
    if named != culprit:
        return wrong(f"You name {named}, but {culprit} was made slow.")
    return _elsewhere(slowest, times, culprit)


def _goes_by(slowest: Any, times: Mapping[str, Any], part: str) -> bool:
    """Whether it names whoever has most of that part, all else being as it was."""
    most = max(row[part] for row in times.values())
    for task in times:
        changed = _copy(times)
        changed[task][part] = most + 10
        if slowest(changed) != task:
            return False
    return True


def _times(run: Run) -> dict[str, dict[str, float]]:
    """The usual milliseconds of a step, as the notebook computes them."""
    steps = run.timeline().steps
    if steps is None:
        return {}
    return {
        str(task): {part: 1000 * steps.typical(task, name) for part, name in _PARTS.items()}
        for task in steps.of
    }


def _elsewhere(slowest: Any, times: Mapping[str, Any], culprit: str) -> Verdict:
    """The same run, had another worker been slow, or had it been slow in another way."""
    tasks = list(times)
    for other in tasks:
        swapped = {culprit: other, other: culprit}
        moved = {task: dict(times[swapped.get(task, task)]) for task in tasks}
        if slowest(_copy(moved)) != other:
            return wrong(
                f"With the numbers of {culprit} and {other} exchanged, you name"
                f" {slowest(_copy(moved))!r:.60}: not the one that is slow then."
            )
        for part, none in (("before", "computing"), ("computing", "before")):
            changed = _copy(moved)
            changed[other][part] += changed[other][none]
            changed[other][none] = 0.0
            if slowest(_copy(changed)) != other:
                return wrong(
                    f"If {other} needs {changed[other][part]:.0f} ms of each step for `{part}`, and"
                    f" none for `{none}`, you do not name it. A worker may be slow in either part."
                )
    return right(f"It was {culprit}: it hardly waits, and the others wait for it.")


def _copy(times: Mapping[str, Any]) -> dict[str, Any]:
    return {task: dict(row) for task, row in times.items()}


def _slowest(body: str) -> str:
    return f"def slowest(times):\n    {body}\n"


_SLOWEST = Exercise(
    id="03-3",
    title="who is slow?",
    hard=True,
    task=(
        "The next cells launch `mystery.py` on three workers, one of which is slow, and do not tell"
        " which. They put the usual milliseconds of a step into `times`, for each worker:"
        ' `{"worker:0": {"step": ..., "before": ..., "computing": ..., "waiting": ..., "rest":'
        " ...}, ...}`. `step` is the sum of the others, which mean what they do in the timeline."
        " Write `slowest(times)`, which returns the name of the worker that holds up the others,"
        " whether it loses its time before the step or computing."
    ),
    stub=_slowest("return None"),
    check=_check_slowest,
    hints=(
        "Look at `times`: in which columns do the workers differ, and in which not?",
        "The workers that are not slow are ready early. Where does the rest of their step go?",
        "What a worker does itself is `before` and `computing` together.",
    ),
    solution=_slowest(
        'return max(times, key=lambda task: times[task]["before"] + times[task]["computing"])'
    ),
    reasoning=(
        "In training in step every worker's step takes as long as that of the slowest, so the"
        " length of a step tells nothing. What differs is what each does with it: the slow one"
        " works, the others wait. The own part of a step is what comes before it and the computing"
        " in it; it is largest for the slow one. Asking who waits least leads to the same worker."
    ),
    sabotages=(
        Sabotage(
            "the slow one has the longest steps",
            _slowest('return max(times, key=lambda task: times[task]["step"])'),
            "You go by the length of a step",
        ),
        Sabotage(
            "the one that waits most is the problem",
            _slowest('return max(times, key=lambda task: times[task]["waiting"])'),
            "Whoever waits is ready",
        ),
        Sabotage(
            "a worker is slow because of what is before its steps",
            _slowest('return max(times, key=lambda task: times[task]["before"])'),
            "may be slow in either part",
        ),
    ),
)

EXERCISES = (_BATCH, _ARRAYS, _SLOWEST)

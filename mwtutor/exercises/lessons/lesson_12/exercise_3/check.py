"""12-3: from Estimator to Keras."""

from __future__ import annotations

import re
from typing import Any

import numpy as np

from mwtutor.datasets import digits
from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_KERNEL, _STEPS, _TOGETHER, _LOGITS = "kernel_found", "steps_found", "is_mirrored", "takes_logits"

#: The kernel that the old program's Estimator has after training, on `worker:0`.
_OLD = "old_kernel"

#: The kernel after training on different rows on each worker.
_OF_OWN = "kernel_of_own_rows"

#: What `train_keras` raised.
_RAISED = "returned if isinstance(returned, str) else ''"

#: Whether it raised an error only because the rows were not in batches.
_BATCHES = "needs_batches"

#: Whether it returned a model of Keras 3.
_KERAS_3 = "any('keras.src.models' in one.__module__ for one in type(returned).__mro__)"

SESSION = (_KERNEL, _STEPS, _TOGETHER, _LOGITS, _OLD, _RAISED, _KERAS_3, _OF_OWN, _BATCHES)

#: The old program's training: its steps, and the rows of both replicas in a step.
_WANTED_STEPS, _BATCH = 20, 64

#: Characters of an error that are shown.
_LONGEST = 300


def check(work: Work) -> Verdict:
    kernels = [as_array(one) for one in each_worker(work, _KERNEL)]
    wanted = as_array(next(iter(each_worker(work, _OLD)), None))
    raised = [one for one in each_worker(work, _RAISED) if isinstance(one, str) and one]
    if raised:
        text = raised[0]
        if ": in user code:" in text:  # Keras puts its stack before the message
            text = re.split(r"\n\s*(?=\w+Error: )", text)[-1]
        words = f"`train_keras` raised or returned {text[:_LONGEST]}"
        if each_worker(work, _BATCHES) == [True, True]:
            words += ". With rows in batches, it returned a model: `rows` is not in batches."
        return wrong(words)
    if any(each_worker(work, _KERAS_3)):
        return wrong("The model is one of Keras 3. The session uses Keras 2, which is `tf.keras`.")
    if len(kernels) < 2 or any(one is None or one.shape != (196, 10) for one in kernels):
        return not_yet("`train_keras` has not returned a model with 10 outputs on both workers.")
    if wanted is None or wanted.shape != (196, 10):
        return not_yet("The cell below yours, which trains the old program, has not run.")
    first, second = kernels
    if each_worker(work, _TOGETHER) != [True, True]:
        return wrong(
            "The strategy did not create the model: each worker trained a separate one, on all the"
            " rows. Equal weights prove nothing here."
        )
    if not np.array_equal(first, second):
        return wrong("The weights of the workers differ.")
    steps = each_worker(work, _STEPS)[0]
    if not isinstance(steps, int) or not steps:
        return wrong("The model has not taken a training step.")
    if steps > _WANTED_STEPS:
        of_one = _trained(batch=_BATCH // 2, steps=2 * _WANTED_STEPS)
        so = " Your batch is that of one replica." if np.allclose(first, of_one, atol=1e-5) else ""
        return wrong(
            f"Your model took {steps} steps; the Estimator took {_WANTED_STEPS} steps on the same"
            f" rows.{so}"
        )
    if steps < _WANTED_STEPS:
        return wrong(
            f"{steps} steps instead of {_WANTED_STEPS}: not all rows were trained on, or a step"
            f" took more than {_BATCH} of them."
        )
    if np.allclose(first, wanted, atol=1e-5):
        own = [as_array(one) for one in each_worker(work, _OF_OWN)]
        if len(own) < 2 or any(one is None or one.shape != (196, 10) for one in own):
            return wrong("With only 128 rows, it does not return a model on both workers.")
        if not np.allclose(own[0], own[1], atol=1e-6):
            return wrong(
                "The weights are those of the Estimator. But when the workers get different rows,"
                " they end with different weights: they exchange nothing."
            )
        return right("20 steps on two workers, and the Estimator's weights.")
    return wrong(_guess(first, each_worker(work, _LOGITS)[0] is False))


def _guess(kernel: Any, takes_probabilities: bool) -> str:
    """What was done instead, judging by the weights."""
    images = digits.load_split("train")[0][: _WANTED_STEPS * _BATCH, ::2, ::2, 0]
    black = images.reshape(-1, 196).max(axis=0) == 0
    if np.any(kernel[black] != 0):
        return (
            "The kernel did not start with zeros: weights of pixels that are 0 in all these rows"
            " are not 0 now."
        )
    for words, other in _OTHERS:
        if np.allclose(kernel, _trained(**other), atol=1e-5):
            return words
    if takes_probabilities:
        return (
            "The loss expects probabilities. If your layer outputs logits, these may be negative,"
            " and do not add up to 1."
        )
    return "The number of steps is right, but the weights are not those of the Estimator."


#: Training runs that differ from the old program's, and what to say about each.
_OTHERS: tuple[tuple[str, dict[str, Any]], ...] = (
    (
        "The weights are those of twice the penalty: `tf.nn.l2_loss` is half a sum of squares,"
        " and Keras's regularizer takes the whole sum.",
        {"penalty": 0.2},
    ),
    (
        "The weights are those of half the penalty. Keras counts a penalty once in a step, however"
        " many replicas there are.",
        {"penalty": 0.05},
    ),
    ("The weights are those without a penalty.", {"penalty": 0.0}),
    ("The weights are those of a constant learning rate of 0.3.", {"decay": 1.0}),
    (
        "The learning rate falls in each step. The old one falls only at intervals, like a"
        " staircase.",
        {"stairs": False},
    ),
    (
        "The weights are those of twice the learning rate. Keras already takes the mean over"
        " the rows of all workers: do not compensate for it.",
        {"rate": 0.6},
    ),
)


def _trained(
    penalty: float = 0.1,
    decay: float = 0.5,
    stairs: bool = True,
    rate: float = 0.3,
    batch: int = _BATCH,
    steps: int = _WANTED_STEPS,
) -> Any:
    """The old program's final kernel, in NumPy and in one process."""
    images, labels = digits.load_split("train")
    pixels = images[:, ::2, ::2, 0].reshape(-1, 196) / 255.0
    w, b = np.zeros((196, 10)), np.zeros(10)
    for step in range(steps):
        rows = slice(step * batch, (step + 1) * batch)
        x, y = pixels[rows], labels[rows]
        logits = x @ w + b
        p = np.exp(logits - logits.max(1, keepdims=True))
        error = p / p.sum(1, keepdims=True) - np.eye(10)[y]
        now = rate * decay ** (step // 10 if stairs else step / 10)
        w, b = w - now * (x.T @ error / len(y) + penalty * w), b - now * error.mean(0)
    return w

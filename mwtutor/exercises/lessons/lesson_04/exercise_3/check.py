"""04-3: a training step by hand."""

from __future__ import annotations

from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_FINAL, _LOSSES, _DATA = "w_final", "w_losses", "(rows.numpy().tolist(), wanted.numpy().tolist())"

SESSION = (_FINAL, _LOSSES, _DATA)

#: The values in the cells of the exercise.
_RATE, _STEPS = 0.1, 5


def check(work: Work) -> Verdict:
    weights = [_numbers(value, 2) for value in each_worker(work, _FINAL)]
    losses = [_numbers(value, _STEPS) for value in each_worker(work, _LOSSES)]
    parts = [_part(value) for value in each_worker(work, _DATA)]
    if not (len(weights) == len(losses) == len(parts) == 2):
        return not_yet("The steps did not run on both workers.")
    if any(one is None for one in (*weights, *losses, *parts)):
        return wrong("After the steps, `w` or what they returned is not a row of finite numbers.")
    if not any(np.any(one) for one in weights if one is not None):
        if _are_own(losses, parts, lambda own: 1):  # what the stub returns
            return not_yet("`w` is still zero.")
        return wrong("After five steps, `w` is still zero.")
    return _judge(weights, losses, parts)


def _judge(weights: list[Any], losses: list[Any], parts: list[Any]) -> Verdict:
    if not np.allclose(weights[0], weights[1], atol=1e-5):
        seen = f"`w` differs: {_shown(weights[0])} on worker:0, {_shown(weights[1])} on worker:1."
        if any(_are_alone(weights, parts, divide) for divide in _OWN_DIVISORS):
            return wrong(f"{seen} Each worker applied only its own gradient.")
        return wrong(f"{seen} Both copies have to move by the same gradient.")
    for make, words in _MISTAKES:
        if np.allclose(weights[0], _trained(parts, make)[0], rtol=1e-3):
            return wrong(words)
    final, expected = _trained(parts, _right)
    if not np.allclose(weights[0], final, atol=1e-4):
        return wrong(
            f"Both workers have {_shown(weights[0])}; one process that trains on all eight rows has"
            f" {_shown(final)}."
        )
    return _judge_losses(losses, expected, parts)


def _judge_losses(losses: list[Any], expected: Any, parts: list[Any]) -> Verdict:
    if not np.allclose(losses[0], losses[1], atol=1e-5):
        seen = (
            f"`w` is right. But the first step returns {losses[0][0]:.3f} on worker:0"
            f" and {losses[1][0]:.3f} on worker:1"
        )
        if any(_are_own(losses, parts, divide) for divide in _OWN_DIVISORS):
            return wrong(f"{seen}: each has only its own part of the loss.")
        return wrong(f"{seen}.")
    if np.allclose(losses[0], expected, atol=1e-4):
        return right("The weights and losses are those of one process with all eight rows.")
    if np.allclose(losses[0], expected / 2, atol=1e-4):
        return wrong(
            "`w` is right, but the loss returned is half of the right one. Either parts of the"
            " whole batch's mean are averaged, not added, or the squares are halved."
        )
    if np.allclose(losses[0][:-1], expected[1:], atol=1e-4):
        return wrong("`w` is right, but each step returns the error after the change, not before.")
    return wrong(
        f"`w` is right, but the first step returns a loss of {losses[0][0]:.3f}; in one process "
        f"it is {expected[0]:.3f}."
    )


def _right(gradients: list[Any], sizes: list[int]) -> Any:
    return sum(gradients) / sum(sizes)


def _mean(gradients: list[Any], sizes: list[int]) -> Any:
    """The mean of the means."""
    return sum(g / n for g, n in zip(gradients, sizes, strict=True)) / len(sizes)


def _sum_of_means(gradients: list[Any], sizes: list[int]) -> Any:
    return sum(g / n for g, n in zip(gradients, sizes, strict=True))


def _half(gradients: list[Any], sizes: list[int]) -> Any:
    return _right(gradients, sizes) / len(sizes)


def _no_division(gradients: list[Any], sizes: list[int]) -> Any:
    return sum(gradients)


_MISTAKES = (
    (
        _sum_of_means,
        "Each step is about twice as long as that of one process: each replica divides by its own"
        " number of rows, not by the global batch size, and the two means are added.",
    ),
    (
        _mean,
        "The gradient is nearly right: the mean of two means. That is the mean of all rows only if"
        " every replica has the same number of rows; here one has five and one has three.",
    ),
    (
        _half,
        "Each step is half as long as that of one process. Either parts of the whole batch's mean"
        " are averaged over the replicas once more, or the 2 in the gradient of a square is"
        " missing.",
    ),
    (
        _no_division,
        "The gradient is that of a sum over eight rows: divide by their number.",
    ),
)

#: What a worker may divide its own gradient and loss by, given its number of rows.
_OWN_DIVISORS = (lambda own: 8, lambda own: own, lambda own: 1)


def _are_alone(weights: list[Any], parts: list[Any], divide: Any) -> bool:
    """Whether each worker's weights come from its own gradients alone."""
    for found, part in zip(weights, parts, strict=True):
        alone, _ = _trained([part], lambda gradients, sizes: gradients[0] / divide(sizes[0]))
        if not np.allclose(found, alone, rtol=1e-3):
            return False
    return True


def _are_own(losses: list[Any], parts: list[Any], divide: Any) -> bool:
    """Whether each worker's first loss, with weights of zero, is that of its own rows."""
    own = [(y**2).sum() / divide(len(y)) for _, y in parts]
    return np.allclose([one[0] for one in losses], own, rtol=1e-3)


def _trained(parts: list[Any], combine: Any) -> tuple[Any, Any]:
    """The weights, and the mean losses of all rows, if `combine` combines the gradients."""
    w, losses = np.zeros(2), []
    for _ in range(_STEPS):
        errors = [x @ w - y for x, y in parts]
        sizes = [len(y) for _, y in parts]
        losses.append(sum((e**2).sum() for e in errors) / sum(sizes))
        gradients = [2 * x.T @ e for (x, _), e in zip(parts, errors, strict=True)]
        w = w - _RATE * combine(gradients, sizes)
    return w, np.array(losses)


def _numbers(value: Any, count: int) -> Any:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
    return found if found.shape == (count,) and np.isfinite(found).all() else None


def _part(value: Any) -> Any:
    try:
        x, y = (np.asarray(one, dtype=float) for one in value)
    except (TypeError, ValueError):
        return None
    return (x, y) if y.ndim == 1 and x.shape == (len(y), 2) else None


def _shown(weights: Any) -> str:
    return "[" + ", ".join(f"{one:.3f}" for one in weights) + "]"

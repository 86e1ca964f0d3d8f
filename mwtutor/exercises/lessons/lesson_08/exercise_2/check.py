"""08-2: continue as if nothing had happened."""

from __future__ import annotations

from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_STEPS = "int(resumed.optimizer.iterations.numpy())"
_KINDS = (
    "sorted({type(v if callable(getattr(v, 'value', None)) else v.value).__name__"
    " for v in resumed.variables})"
)
_HASH = "fingerprint(resumed)"
_AWAY = "max(float(abs(a - b).max()) for a, b in zip(resumed.get_weights(), wanted))"

#: Whether `resumed` is the model that was never stopped, and the epochs that `fit` began with it.
_IS_STEADY = "resumed is steady"
_BEGUN = "[epoch for model, epoch in begun if model is resumed]"

SESSION = (_STEPS, _KINDS, _HASH, _AWAY, _IS_STEADY, _BEGUN)

#: Steps in an epoch, epochs that were done, and epochs that are wanted.
_EPOCH, _DONE, _ALL = 10, 3, 5


def check(work: Work) -> Verdict:
    steps, away = each_worker(work, _STEPS), each_worker(work, _AWAY)
    if not any(isinstance(one, int) for one in steps):
        return not_yet("`resumed` is not a model yet.")
    if len(steps) < 2 or len(away) < 2 or not all(isinstance(one, float) for one in away):
        return wrong("`resumed` is not a model from `build()` on both workers.")
    if any(kinds != ["MirroredVariable"] for kinds in each_worker(work, _KINDS)):
        return wrong(
            "The variables of `resumed` are plain ones: the strategy did not create them, so"
            " each worker changes its own."
        )
    if len(set(each_worker(work, _HASH))) > 1:
        return wrong(
            "The weights differ between the workers, although the variables are mirrored:"
            " training does not remove a difference between the copies."
        )
    if True in each_worker(work, _IS_STEADY):
        return wrong("`resumed` is `steady`, the model that was never stopped.")
    begun = each_worker(work, _BEGUN)
    return _judge_steps(steps[0], max(away), begun[0] if begun else [])


def _judge_steps(steps: int, away: float, begun: Any) -> Verdict:
    """Judge the steps that the optimizer counted, the distance of the weights, and the epochs."""
    if not begun:
        but = "but" if steps else "and"
        return wrong(
            f"The optimizer counted {steps} steps, {but} `schedule` saw no epoch of `resumed`."
        )
    through = f"`fit` ran the epochs {', '.join(map(str, begun))}, counted from 0"
    wanted = list(range(_DONE, _ALL))
    if steps == _EPOCH * (_ALL - _DONE):
        return wrong("The optimizer counted only 20 steps: the first 30 are missing.")
    if steps == _EPOCH * (_DONE + _ALL):
        return wrong(f"The optimizer counted 80 steps: eight epochs, not five. {through}.")
    if steps != _EPOCH * _ALL:
        return wrong(f"The optimizer counted {steps} steps; five epochs have 50. {through}.")
    if begun != wanted:
        return wrong(
            f"There were 50 steps, but {through}. After three epochs the next ones are 3 and 4: the"
            f" learning rates differed, and the weights are up to {away:.2g} away from `wanted`."
        )
    if away < 1e-4:
        return right("The same weights as if the training had never stopped, after 50 steps.")
    return wrong(
        f"There were 50 steps, the last of them in the right epochs, but the weights are up to"
        f" {away:.2g} away from `wanted`."
    )

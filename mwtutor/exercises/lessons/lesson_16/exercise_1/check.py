"""16-1: local SGD, to the end."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_threads import Meetings, Stuck
from mwtutor.exercises.lessons.worker_values import as_array

#: Workers, steps, and steps between two exchanges.
_CASES = ((2, 8, 4), (2, 10, 4), (3, 5, 2), (2, 3, 7), (3, 4, 1), (1, 3, 2))
_RATE = 0.1

#: A learner may compute with 32 bits.
_ROUNDING = 1e-6


class _Training:
    """What the workers train: each worker's weights are pulled toward goals that only it knows.

    The pull's strength differs, too: otherwise it would not matter when the weights are averaged.
    """

    def __init__(self, workers: int, steps: int, every: int) -> None:
        random = np.random.default_rng()
        self.workers, self.steps, self.every = workers, steps, every
        self.first = random.normal(size=4)
        self.goals = random.normal(size=(workers, steps, 4))
        self.pulls = random.uniform(1.0, 5.0, size=(workers, steps, 4))
        self.asked: list[list[tuple[str, int]]] = [[] for _ in range(workers)]

    def run(self, function: Callable[..., Any]) -> tuple[list[Any], list[Any]]:
        """What each worker returns, and the weights that it was given, as it leaves them."""
        meetings = Meetings(self.workers)
        given = [self.first.copy() for _ in range(self.workers)]

        def on_worker(me: int) -> Any:
            def gradient(weights: Any, step: int) -> Any:
                self.asked[me].append(("gradient", int(step)))
                if not 0 <= step < self.steps:
                    raise IndexError(f"there is no step {step}: steps are 0 to {self.steps - 1}")
                return self.gradient(me, np.asarray(weights, dtype=float), step)

            def mean(vector: Any) -> Any:
                self.asked[me].append(("mean", len(meetings.given[me])))
                return meetings.all_reduce(me, vector) / self.workers

            return function(given[me], gradient, self.steps, self.every, mean)

        return meetings.run(on_worker), given

    def gradient(self, me: int, weights: Any, step: int) -> Any:
        return self.pulls[me, step] * (weights - self.goals[me, step])

    def wanted(self, *, gradients: bool = False) -> Any:
        """The weights of each worker at the end.

        Args:
            gradients: whether the workers exchange the gradients of a step, not their weights.
        """
        all_weights = [self.first for _ in range(self.workers)]
        for step in range(self.steps):
            changes = [self.gradient(me, one, step) for me, one in enumerate(all_weights)]
            last = (step + 1) % self.every == 0 or step + 1 == self.steps
            if last and gradients:
                changes = [np.mean(changes, axis=0)] * self.workers
            all_weights = [
                one - _RATE * change for one, change in zip(all_weights, changes, strict=True)
            ]
            if last and not gradients:
                all_weights = [np.mean(all_weights, axis=0)] * self.workers
        return np.array(all_weights)


def check(work: Work) -> Verdict:
    function = work.value("local_sgd")
    if not callable(function):
        return not_yet("There is no function `local_sgd`.")
    for workers, steps, every in _CASES:
        training = _Training(workers, steps, every)
        found, given = training.run(function)
        if all(one is None for one in found) and not any(training.asked):
            return not_yet("`local_sgd` returns None.")
        if problem := _problem(training, found, given):
            of = f"{workers} worker{'s' * (workers > 1)}"
            where = f"With {of}, {steps} steps and `every={every}`:"
            return wrong(f"{where} {problem}")
    return right("With 1 to 3 workers, all have the same weights at the end, those of local SGD.")


def _problem(training: _Training, found: list[Any], given: list[Any]) -> str:
    """What is wrong; empty if nothing is."""
    for me, one in enumerate(found):
        if isinstance(one, Exception) and not isinstance(one, Stuck):
            return f"`local_sgd` raises {type(one).__name__} on worker {me}: {one}"
    if any(isinstance(one, Stuck) for one in found):
        return "a worker waits in an exchange that another worker does not make."
    if any(not np.array_equal(one, training.first) for one in given):
        return "`local_sgd` changes its argument `weights`."
    numbers = [as_array(one) for one in found]
    if any(one is None or one.shape != training.first.shape for one in numbers):
        return "`local_sgd` does not return a vector of the length of `weights`."
    if problem := _order(training):
        return problem
    if np.allclose(numbers, training.wanted(), atol=_ROUNDING):
        return ""
    other = training.wanted(gradients=True)
    if training.workers > 1 and np.allclose(numbers, other, atol=_ROUNDING):
        return (
            "the weights look as if the workers had exchanged the last step's gradients instead of"
            " their weights: what each worker did before that step was not shared."
        )
    if not np.allclose(numbers, numbers[0], atol=_ROUNDING):
        return "the workers do not have the same weights at the end."
    return "the weights at the end are not those of local SGD with a rate of 0.1."


def _order(training: _Training) -> str:
    """What is wrong with the steps and exchanges; empty if nothing is."""
    steps, every = training.steps, training.every
    asked = training.asked[0]
    taken = [step for what, step in asked if what == "gradient"]
    if taken != list(range(steps)):
        return f"the steps of the gradients are {taken}, not 0 to {steps - 1}."
    exchanged, before = [], 0
    for what, _ in asked:
        before += what == "gradient"
        if what == "mean":
            exchanged.append(before)
    wanted = [*range(every, steps, every), steps]
    if early := [one for one in exchanged if one not in wanted]:
        when = f"after step {early[0] - 1}" if early[0] else "before the first step"
        return f"the exchange {when} is not needed."
    if len(exchanged) > len(set(exchanged)):
        return f"the number of exchanges is {len(exchanged)}, more than needed."
    if missing := [one for one in wanted if one not in exchanged and one < steps]:
        return f"there is no exchange after step {missing[0] - 1}."
    return ""

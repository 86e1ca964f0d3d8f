"""17-3: a step of ZeRO-1."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_threads import Stuck, Workers
from mwtutor.exercises.lessons.worker_values import as_array

#: Workers, weights.
_CASES = ((2, 8), (2, 7), (3, 12), (3, 10), (4, 5), (5, 23), (1, 6))

_STEPS = 3

#: A learner may compute with 32 bits.
_ROUNDING = 1e-5


class _Refused(Exception):
    """An operation was called with something that it cannot take."""


class _Optimizer:
    """Keeps two numbers for each gradient; its change is not proportional to the gradient."""

    def __init__(self) -> None:
        self.sizes: list[int] = []
        self._mean: Any = 0.0
        self._square: Any = 0.0

    def update(self, gradient: Any) -> Any:
        array = as_array(gradient)
        if array is None or array.ndim != 1:
            raise _Refused("gives `update` something other than a vector.")
        if self.sizes and array.size != self.sizes[0]:
            raise _Refused(
                f"gives `update` {array.size} numbers, but gave {self.sizes[0]} the first time."
            )
        self.sizes.append(array.size)
        self._mean = 0.9 * self._mean + array
        self._square = 0.5 * self._square + array**2
        return self._mean / (1 + self._square)


class _Group(Workers):
    """The two operations, in which all workers meet.

    Args:
        noise: a factor for the sums, and a number that is added to the chunks of the other workers.
    """

    def __init__(self, count: int, noise: tuple[float, float]) -> None:
        super().__init__(count)
        self.given: list[list[tuple[str, Any]]] = [[] for _ in range(count)]
        self._noise = noise

    def reduce_scatter(self, me: int, vector: Any) -> Any:
        array = self._vector("reduce_scatter", vector)
        if array.size % self.count:
            raise _Refused(
                f"calls `reduce_scatter` with {array.size} numbers, not a multiple of {self.count}."
            )
        total = np.sum(self._meet(me, "reduce_scatter", array), axis=0)
        return np.split(total, self.count)[me] * self._noise[0]

    def all_gather(self, me: int, chunk: Any) -> Any:
        chunks = self._meet(me, "all_gather", self._vector("all_gather", chunk))
        noisy = [one + self._noise[1] * (at != me) for at, one in enumerate(chunks)]
        return np.concatenate(noisy)

    def _vector(self, name: str, value: Any) -> Any:
        array = as_array(value)
        if array is None or array.ndim != 1:
            raise _Refused(f"gives `{name}` something other than a vector.")
        return array

    def _meet(self, me: int, name: str, array: Any) -> list[Any]:
        number = len(self.given[me])
        self.tell(lambda: self.given[me].append((name, array.copy())))
        self.wait(me, lambda: all(len(one) > number for one in self.given))
        calls = [one[number] for one in self.given]
        for other, (called, given) in enumerate(calls):
            if called != name:
                raise _Refused(f"calls `{name}`, while worker {other} calls `{called}`.")
            if given.size != array.size:
                raise _Refused(
                    f"gives `{name}` {array.size} numbers, and worker {other} gives {given.size}."
                )
        return [given for _, given in calls]


def check(work: Work) -> Verdict:
    function = work.value("zero_step")
    if not callable(function):
        return not_yet("There is no function `zero_step`.")
    for workers, count in _CASES:
        case = _Case(workers, count)
        where = f"With {workers} worker{'s' * (workers > 1)} and {count} weights:"
        for step in range(_STEPS):
            found, group = case.call(function)
            if all(one is None for one in found) and not any(group.given):
                return not_yet("`zero_step` returns None.")
            problem = _failed(found) or case.too_much(group, step) or case.problem(found)
            if problem:
                return wrong(f"{where} {f'in step {step}, ' if step else ''}{problem}")
            case.proceed()
    for workers, count in _CASES:
        case = _Case(workers, count, noise=(1.5, 8.0))
        found, _ = case.call(function)
        if problem := _failed(found) or case.unheard(found):
            where = f"With {workers} worker{'s' * (workers > 1)} and {count} weights:"
            return wrong(f"{where} {problem}")
    return right("With 1 to 5 workers, the weights are those of one optimizer with all rows.")


def _failed(found: list[Any]) -> str:
    """Which worker did not return, and why; empty if all did."""
    for me, one in enumerate(found):
        if isinstance(one, _Refused):
            return f"worker {me} {one}"
        if isinstance(one, Exception) and not isinstance(one, Stuck):
            return f"`zero_step` raises {type(one).__name__} on worker {me}: {one}"
    stuck = [me for me, one in enumerate(found) if isinstance(one, Stuck)]
    return f"worker {stuck[0]} waits in a call that not all workers make." if stuck else ""


class _Case:
    """Weights, new gradients in each step, and the workers' optimizers."""

    def __init__(self, workers: int, count: int, noise: tuple[float, float] = (1.0, 0.0)) -> None:
        self.workers, self.count, self.noise = workers, count, noise
        self.share = -(-count // workers)
        self._random = np.random.default_rng()
        self.weights = self._random.normal(size=count)
        self.optimizers = [_Optimizer() for _ in range(workers)]
        self._whole = _Optimizer()  # a single one, for all weights
        self._draw()

    def _draw(self) -> None:
        self.gradients = self._random.normal(size=(self.workers, self.count))
        mean = self.gradients.mean(axis=0) * self.noise[0]
        self.wanted = self.weights - self._whole.update(mean)

    def proceed(self) -> None:
        """Go to the next step, with the right weights."""
        self.weights = self.wanted
        self._draw()

    def call(self, function: Callable[..., Any]) -> tuple[list[Any], _Group]:
        group = _Group(self.workers, self.noise)

        def on_worker(me: int) -> Any:
            return function(
                self.weights.copy(),
                self.gradients[me].copy(),
                me,
                self.workers,
                self.optimizers[me].update,
                lambda vector: group.reduce_scatter(me, vector),
                lambda chunk: group.all_gather(me, chunk),
            )

        return group.run(on_worker), group

    def too_much(self, group: _Group, step: int) -> str:
        """What is kept or exchanged that need not be; empty if nothing is."""
        for me, optimizer in enumerate(self.optimizers):
            if len(optimizer.sizes) != step + 1:
                return f"worker {me} calls `update` {len(optimizer.sizes) - step} times, not once."
            if (size := optimizer.sizes[0]) > self.share:
                what = "all" if size >= self.count else str(size)
                return (
                    f"worker {me}'s optimizer keeps numbers for {what} weights. A share has at most"
                    f" {self.share}."
                )
        limits = {"reduce_scatter": self.share * self.workers, "all_gather": self.share}
        for name, limit in limits.items():
            sizes = [array.size for called, array in group.given[0] if called == name]
            if sum(sizes) > limit:
                return f"worker 0 gives `{name}` {sum(sizes)} numbers, but {limit} are enough."
        return ""

    def problem(self, found: list[Any]) -> str:
        """What is wrong with the new weights; empty if nothing is."""
        arrays = [as_array(one) for one in found]
        for me, array in enumerate(arrays):
            if array is None or array.ndim != 1:
                return f"worker {me} does not return a vector."
            if array.size != self.count:
                more = array[self.count :]
                zeros = " There are zeros at the end." if more.size and not more.any() else ""
                return f"worker {me} returns {array.size} numbers, not {self.count}.{zeros}"
        if all(_near(array, self.wanted) for array in arrays):
            return ""
        if words := self._mistake(arrays):
            return words
        bad = next(me for me, one in enumerate(arrays) if not _near(one, self.wanted))
        return f"worker {bad}'s weights are not those of one optimizer with all rows."

    def _mistake(self, arrays: list[Any]) -> str:
        """A mistake that gives these weights in the first step; empty if there is none."""
        mean = self.gradients.mean(axis=0)
        own = np.concatenate([self._chunk(one, me) for me, one in enumerate(self.gradients)])
        first = np.concatenate([self._chunk(self.weights, 0)] * self.workers)
        change = _Optimizer().update(mean)
        for wrongly, words in (
            (
                self.weights - _Optimizer().update(mean * self.workers),
                "what `update` gets is the sum over all workers, not the mean.",
            ),
            (
                self.weights - _Optimizer().update(own[: self.count]),
                "what `update` gets is each worker's own gradient, not the mean over all workers.",
            ),
            (first[: self.count] - change, "each worker starts from worker 0's chunk."),
            (self.weights + change, "the change is added instead of subtracted."),
            (change, "what is returned is the change, not the new weights."),
            (self.weights, "no weight has changed."),
        ):
            if all(_near(array, wrongly) for array in arrays):
                return words
        if all(_near(array, self._alone(me)) for me, array in enumerate(arrays)):
            return "each worker has its own new weights, but the others' do not arrive."
        return ""

    def _chunk(self, vector: Any, me: int) -> Any:
        padded: Any = np.append(vector, np.zeros(self.share * self.workers - self.count))
        return np.split(padded, self.workers)[me]

    def _alone(self, me: int) -> Any:
        mine = slice(me * self.share, (me + 1) * self.share)
        weights = self.weights.copy()
        weights[mine] = self.wanted[mine]
        return weights

    def unheard(self, found: list[Any]) -> str:
        """Which worker does not use what it receives; empty if each does.

        What a worker receives is noisy; its own chunk is not. Where the chunks begin depends on
        where the zeros are: usually at the end.
        """
        taken: Any = np.zeros(self.count, bool)
        for me, one in enumerate(found):
            array = as_array(one)
            if array is None or array.shape != self.wanted.shape:
                return f"worker {me} does not return as many weights as it got."
            noise = np.abs(array - self.wanted)
            own = np.isclose(noise, 0, atol=_ROUNDING)
            received = np.isclose(noise, self.noise[1], atol=_ROUNDING)
            if not np.all(own | received) or own.sum() > self.share or np.any(own & taken):
                return f"worker {me} does not return what it received."
            taken |= own
        return ""


def _near(array: Any, wanted: Any) -> bool:
    return np.allclose(array, wanted, atol=_ROUNDING)

"""19-2: a seed for each worker and epoch."""

from __future__ import annotations

import builtins
import copy
import inspect
import itertools
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any
from unittest.mock import patch

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong

SECONDS = 60

_EXPERIMENTS, _WORKERS, _EPOCHS = 100, 64, 100_000

_Triple = tuple[int, int, int]


def check(work: Work) -> Verdict:
    function = work.value("seed_for")
    if not callable(function):
        return not_yet("There is no function `seed_for`.")
    start = _restarter(function)
    if problem := _alone(function, start):
        return not_yet("`seed_for` returns None.") if problem == "None" else wrong(problem)
    if problem := _repeated(function):
        return wrong(problem)
    return right("More than 500,000 seeds are all different, and the same when computed again.")


def _alone(function: Callable[..., Any], start: Callable[[], None]) -> str:
    """What is wrong with single seeds; empty if nothing is."""
    random = np.random.default_rng()
    limits = (_EXPERIMENTS, _WORKERS, _EPOCHS)
    some: list[_Triple] = [(0, 0, 0), (99, 63, 99_999), (0, 63, 0), (99, 0, 0), (0, 0, 99_999)]
    some += [tuple(int(random.integers(limit)) for limit in limits) for _ in range(20)]  # type: ignore[misc]
    first: dict[_Triple, int] = {}
    for one in some:
        try:
            seed = function(*one)
        except Exception as error:
            return f"For {_words(one)}, `seed_for` raises {type(error).__name__}: {error}"
        if seed is None:
            return "None" if not first else f"For {_words(one)}, `seed_for` returns None."
        if not isinstance(seed, (int, np.integer)) or isinstance(seed, bool):
            return f"For {_words(one)}, `seed_for` does not return a whole number."
        if not 0 <= seed < 2**32:
            return f"For {_words(one)}, the seed is {int(seed)}, which is not from 0 to 2**32 - 1."
        first[one] = int(seed)
    for one in reversed(some):
        again = function(*one)
        if again != first[one]:
            return f"Computed twice, the seed for {_words(one)} is {first[one]} and then {again}."
    start()
    for one in reversed(some):
        if (again := function(*one)) != first[one]:
            return (
                f"After a restart, the seed for {_words(one)} is {again} instead of {first[one]}:"
                " it depends on what was computed before."
            )
    with _another_process():
        for one in some:
            if (again := function(*one)) != first[one]:
                return (
                    f"After a restart, the seed for {_words(one)} is {again} instead of"
                    f" {first[one]}: the `hash` of a string differs from process to process."
                )
    return ""


def _restarter(function: Callable[..., Any]) -> Callable[[], None]:
    """A function that resets the learner's global variables to their current values."""
    learners = inspect.unwrap(function)
    names: dict[str, Any] = getattr(learners, "__globals__", {})
    plain = (int, float, list, dict, set)
    kept = {
        name: copy.deepcopy(names[name])
        for name in getattr(getattr(learners, "__code__", None), "co_names", ())
        if type(names.get(name)) in plain
    }
    return lambda: names.update(copy.deepcopy(kept))


@contextmanager
def _another_process() -> Iterator[None]:
    """Make texts hash differently, as in another process."""

    def other(value: Any) -> int:
        text = isinstance(value, (str, bytes)) or (
            isinstance(value, tuple) and any(isinstance(one, (str, bytes)) for one in value)
        )
        return usual((value, 1)) if text else usual(value)

    usual = builtins.hash
    with patch.object(builtins, "hash", other):
        yield


def _repeated(function: Callable[..., Any]) -> str:
    """Two triples with the same seed; empty if there are none among many."""
    random = np.random.default_rng()
    one = int(random.integers(1, _EXPERIMENTS))
    limits = (_EXPERIMENTS, _WORKERS, _EPOCHS)
    anywhere = [random.integers(limit, size=200_000).tolist() for limit in limits]
    triples: Iterator[_Triple] = itertools.chain(
        itertools.product([one], range(_WORKERS), [0, 1]),
        itertools.product([one], [0, 1, _WORKERS - 1], range(2, _EPOCHS)),
        itertools.product(range(_EXPERIMENTS), range(_WORKERS), [0, _EPOCHS - 1]),
        itertools.product([one], range(_WORKERS), range(2, 1200)),
        zip(*anywhere, strict=True),  # a checksum repeats nothing among similar triples
    )
    seen: dict[int, _Triple] = {}
    known: set[_Triple] = set()
    example = ""
    for triple in triples:
        if triple in known:
            continue
        known.add(triple)
        other = seen.setdefault(int(function(*triple)), triple)
        if other != triple:
            example = example or f"{_words(other)} and {_words(triple)}"
    if not example:
        return ""
    count = len(known)
    repeated, expected = count - len(seen), count**2 / 2**33
    said = f"Two seeds are the same: {example}."
    said += f" Seeds that repeat an earlier one: {repeated:,} of {count:,}."
    if expected / 3 < repeated < 3 * expected:
        said += f" Of as many random 32-bit numbers, about {expected:.0f} would repeat."
    return said


def _words(triple: _Triple) -> str:
    experiment, worker, epoch = triple
    return f"experiment {experiment}, worker {worker} in epoch {epoch}"

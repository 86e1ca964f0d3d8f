"""15-1: broadcast in a ring."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_threads import Ring, Stuck
from mwtutor.exercises.lessons.worker_values import as_array

#: Workers, root, numbers in the vector.
_CASES = ((3, 0, 7), (3, 1, 7), (4, 3, 12), (5, 2, 9), (2, 1, 8), (1, 0, 6))

#: A learner may send a few extra numbers, such as a length.
_BESIDES = 16


def check(work: Work) -> Verdict:
    function = work.value("broadcast")
    if not callable(function):
        return not_yet("There is no function `broadcast`.")
    random = np.random.default_rng()
    for workers, root, length in _CASES:
        vectors = [random.normal(size=length) for _ in range(workers)]
        where = f"With {workers} workers and root {root},".replace("1 workers", "1 worker")
        ring = Ring(workers)
        found = _call(function, ring, vectors, root)
        if all(one is None for one in found) and not any(ring.sent):
            return not_yet("`broadcast` returns None.")
        if problem := _problem(found, vectors, root) or _sent(ring, vectors, root):
            return wrong(f"{where} {problem}")
        noisy = _call(function, Ring(workers, noise=1.0), vectors, root)
        for me, one in enumerate(noisy):
            if not _equal(one, vectors[root] + (me - root) % workers):
                return wrong(f"{where} worker {me} does not return what it received.")
    return right("With 1 to 5 workers and any root, each worker has the root's vector.")


def _call(function: Callable[..., Any], ring: Ring, vectors: list[Any], root: int) -> list[Any]:
    def work(me: int) -> Any:
        return function(
            vectors[me].copy(),
            root,
            me,
            ring.count,
            lambda array: ring.send(me, array),
            lambda: ring.receive(me),
        )

    return ring.run(work)


def _problem(found: list[Any], vectors: list[Any], root: int) -> str:
    """What is wrong with what the workers return; empty if nothing is."""
    for me, one in enumerate(found):
        if isinstance(one, Exception) and not isinstance(one, Stuck):
            return f"`broadcast` raises {type(one).__name__} on worker {me}: {one}"
    on_the_way = [(root + step) % len(found) for step in range(len(found))]
    stuck = [me for me in on_the_way if isinstance(found[me], Stuck)]
    if stuck:
        return f"worker {stuck[0]} waits for an array that nobody sends."
    bad = [me for me in on_the_way if not _equal(found[me], vectors[root])]
    for me in bad:
        if found[me] is None:
            return f"worker {me} returns None."
        for owner, vector in enumerate(vectors):
            if owner != me and _equal(found[me], vector):
                return f"worker {me} returns worker {owner}'s vector."
    return f"worker {bad[0]} does not return the root's vector." if bad else ""


def _sent(ring: Ring, vectors: list[Any], root: int) -> str:
    """What is wrong with who sends how much; empty if nothing is."""
    size = vectors[0].nbytes
    counts = [sum(array.nbytes for array in arrays) for arrays in ring.sent]
    for me, count in enumerate(counts):
        if count > size + _BESIDES:
            return f"worker {me} sends {count / size:.3g} times as many bytes as the vector has."
    last = (root - 1) % ring.count
    if counts[last] > _BESIDES:
        return f"worker {last} sends to the root, which has the vector already."
    return ""


def _equal(value: Any, vector: Any) -> bool:
    array = as_array(value)
    return array is not None and array.shape == vector.shape and np.allclose(array, vector)

"""The reports of a task's process: the evidence for statements about its run.

Statements about whether workers trained together, with which Keras, and where, use only these
records.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mwtutor.run.record import events
from mwtutor.run.record.events import Event

#: Maximum number of findings of each kind: a program could report without limit.
_MOST = 32

#: The largest relative difference between the weights of two workers that trained together: a
#: different order of additions changes the last digits.
_SAME = 1e-3


@dataclass(frozen=True)
class Findings:
    """The evidence about one task; everything is empty until something is reported.

    Attributes:
        places: the places that its strategies and servers took and that were not its own.
        keras: the versions of Keras (``2``, ``3``) that its program has used.
        weights: for each ``fit`` outside a cluster, by number, a summary of its trained
            weights: a few sums, see :mod:`mwtutor.worker.weights`.
        children: the exit statuses of processes that its program started and waited for, each with
            its script (empty if unknown).
        left: the scripts of processes that its program had started and that were still running when
            it ended.
        serves: whether it has begun to serve the others, forever.
        without_effect: the parts of its program that have no effect on other workers:
            ``MirroredStrategy``, and classes of ``keras.distribution`` on TensorFlow.
        no_evaluation: whether an Estimator left its evaluation to an evaluator task.
        figures: the number of its program's figures that were kept.
    """

    places: tuple[events.Place, ...] = ()
    keras: tuple[str, ...] = ()
    weights: Mapping[int, tuple[float, ...]] = field(default_factory=dict)
    children: tuple[tuple[str, int], ...] = ()
    left: tuple[str, ...] = ()
    serves: bool = False
    without_effect: tuple[str, ...] = ()
    no_evaluation: bool = False
    figures: int = 0


def next_findings(known: Findings, event: Event) -> Findings:
    """The findings after an event of the task; an unrelated event changes nothing."""
    match event:
        case events.Place():
            return replace(known, places=_with(known.places, replace(event, t=0.0)))
        case events.Keras(version=version):
            return replace(known, keras=_with(known.keras, version))
        case events.Weights(fit=fit, sums=sums):
            weights = {**known.weights, fit: sums}
            return replace(known, weights=weights) if len(weights) <= _MOST else known
        case events.ChildEnded(program=program, exit=exit):
            return replace(known, children=(*known.children, (program, exit))[:_MOST])
        case events.Serving():
            return replace(known, serves=True)
        case events.WithoutEffect(what=what):
            return replace(known, without_effect=_with(known.without_effect, what))
        case events.EvaluationLeftOut():
            return replace(known, no_evaluation=True)
        case events.FigureKept():
            return replace(known, figures=known.figures + 1)
        case events.TaskEnded(left=left) if left:
            return replace(known, left=left[:_MOST])
    return known


def _with(known: tuple[Any, ...], new: Any) -> tuple[Any, ...]:
    return known if new in known or len(known) >= _MOST else (*known, new)


def differ(found: Iterable[Findings]) -> bool:
    """Whether at least two tasks ended the same ``fit`` with different weights."""
    trained = [one.weights for one in found]
    numbers: Collection[int] = {number for weights in trained for number in weights}
    for number in numbers:
        first, *others = (weights[number] for weights in trained if number in weights)
        if any(not _alike(first, other) for other in others):
            return True
    return False


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two lists of sums are equal except for rounding; the last sum is the magnitude."""
    if len(one) != len(other):
        return False
    if not all(map(math.isfinite, (*one, *other))):
        return True  # training that has diverged proves nothing
    size = max(abs(one[-1]), abs(other[-1]), 1e-30)
    return all(abs(a - b) <= _SAME * size for a, b in zip(one, other, strict=True))

"""What a task's process has shown of itself that a verdict on its run may rest on.

Whether workers trained together, on which Keras, and where: what is said of that follows from what
is recorded here, and from nothing else.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from mwtutor.run.record import events
from mwtutor.run.record.events import Event

#: As many of each as are kept: a program decides how often it says something.
_MOST = 32

#: By how much of their size the weights of two workers may differ that trained together: who adds
#: up in another order gets other last digits.
_SAME = 1e-3


@dataclass(frozen=True)
class Findings:
    """See above; everything is empty as long as nothing was reported.

    Attributes:
        places: those that its strategies and servers took and that it was not given.
        keras: the versions of Keras (``2``, ``3``) that its program has used.
        weights: of each ``fit`` outside of a cluster, by number, what its trained weights come
            to: a few sums, see :mod:`mwtutor.worker.weights`.
        children: the exit statuses of processes that its program has started and waited for, each
            with the script that it executed (empty if that is not known).
        left: the scripts of processes that its program has started and that were still running
            when it ended.
        serves: whether it has begun to serve the others, forever.
        without_effect: what its program uses that has no effect on other workers:
            ``MirroredStrategy``, and classes of ``keras.distribution`` on TensorFlow.
        no_evaluation: whether an Estimator left its evaluation to an evaluator task.
        figures: how many that its program has shown were kept.
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


def after(known: Findings, event: Event) -> Findings:
    """The findings after an event of the task; one that is about something else changes nothing."""
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
    """Whether the weights of a ``fit`` that at least two of the tasks did are not the same."""
    trained = [one.weights for one in found]
    numbers: Collection[int] = {number for weights in trained for number in weights}
    for number in numbers:
        first, *others = (weights[number] for weights in trained if number in weights)
        if any(not _alike(first, other) for other in others):
            return True
    return False


def _alike(one: Sequence[float], other: Sequence[float]) -> bool:
    """Whether two sums are the same but for rounding; the last is their size."""
    if len(one) != len(other):
        return False
    if not all(map(math.isfinite, (*one, *other))):
        return True  # training that has diverged proves nothing
    size = max(abs(one[-1]), abs(other[-1]), 1e-30)
    return all(abs(a - b) <= _SAME * size for a, b in zip(one, other, strict=True))

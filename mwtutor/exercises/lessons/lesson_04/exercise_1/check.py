"""04-1: mirrored, all of it."""

from __future__ import annotations

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_BUILT = "net.built"
_KINDS = (
    "[type(v if callable(getattr(v, 'value', None)) else v.value).__name__ for v in net.variables]"
)
_SHAPES = "[tuple(v.shape) for v in net.variables]"
_HASH = "__import__('hashlib').sha256(b''.join(w.tobytes() for w in net.get_weights())).hexdigest()"
_MADE_UNDER = "type(net.distribute_strategy).__name__"

_TYPE = "type(net).__name__"

SESSION = (_BUILT, _KINDS, _SHAPES, _HASH, _MADE_UNDER, _TYPE)

#: The classes of a session's strategy, and of the default strategy outside any scope.
_JOINS = ("CollectiveAllReduceStrategy", "MultiWorkerMirroredStrategy")
_NONE = "_DefaultDistributionStrategy"

_WANTED = [(3, 4), (4,), (4, 1), (1,)]


def check(work: Work) -> Verdict:
    built = each_worker(work, _BUILT)
    if not built and (other := each_worker(work, _TYPE)):
        return wrong(f"`net` is of type {other[0]}, not a Keras model.")
    if not built:
        return not_yet("`net` is not a model on any worker.")
    if len(built) < 2:
        return wrong("`net` is a model on one worker only.")
    if not all(flag is True for flag in built):
        return wrong(
            "`net` has no variables yet: they are created when the model first sees the shape of"
            " its input, in the scope where that happens."
        )
    if any(shapes != _WANTED for shapes in each_worker(work, _SHAPES)):
        return wrong("The variables of `net` do not have the shapes that the task asks for.")
    if strange := [name for name in each_worker(work, _MADE_UNDER) if name not in (*_JOINS, _NONE)]:
        return wrong(f"`net` was created under {strange[0]}, which joins no workers.")
    if all(set(kinds) == {"MirroredVariable"} for kinds in each_worker(work, _KINDS)):
        if len(set(each_worker(work, _HASH))) > 1:
            return wrong("The variables are mirrored, but one worker's values were changed.")
        return right("Four variables, mirrored, and equal on both workers.")
    return wrong(_why_not_mirrored(work))


def _why_not_mirrored(work: Work) -> str:
    if all(name != _NONE for name in each_worker(work, _MADE_UNDER)):
        return (
            "`net` was created in the scope, but its variables are not mirrored: they were created"
            " later, outside of it."
        )
    if len(set(each_worker(work, _HASH))) == 1:
        return (
            "The values are equal now. But the variables are plain, and nothing keeps them equal"
            " in training."
        )
    return (
        "The variables are plain, and their values differ between the workers: no strategy"
        " created them."
    )

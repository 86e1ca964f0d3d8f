"""07-2: find the variables that were made outside."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from mwtutor.exercises.exercise import Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import each_worker

_NAMED = "named"

SESSION = (_NAMED,)

#: The names in the three dictionaries of the lesson, and those of the plain variables.
_ALL = (("kernel", "scale", "count"), ("kernel", "mean", "count"), ("offset", "mean", "scale"))
_OUTSIDE = (("scale",), (), ("offset", "scale"))

#: Which of them differ between the workers; which have no aggregation; which are not trainable.
_DIFFERENT = ((), (), ("offset",))
_UNAGGREGATED = (("kernel", "scale"), ("kernel", "mean"), ("offset", "mean", "scale"))
_UNTRAINABLE = (("count",), ("mean", "count"), ("offset", "mean"))


def check(work: Work) -> Verdict:
    named = [_names(value) for value in each_worker(work, _NAMED)]
    if len(named) < 2 or any(one is None for one in named):
        return not_yet("`made_outside` has not returned lists of names on both workers.")
    first, second = named
    for which, found, known in zip(("first", "second", "third"), first, _ALL, strict=True):
        if strange := sorted(found.difference(known)):
            returned = f"For the {which} dictionary, `made_outside` returns {strange[0]:.60}"
            return wrong(f"{returned}, which is not a name in that dictionary.")
    if first != second:
        return wrong("`made_outside` names different variables on worker:0 and worker:1.")
    for words, guess in _WRONG_NAMES:
        if first == tuple(map(frozenset, guess)):
            return wrong(words)
    if first == tuple(map(frozenset, _OUTSIDE)):
        return right(
            "One variable in the first dictionary, none in the second, and two in the third."
        )
    if not any(first or ()):
        return not_yet("`made_outside` names no variable in any of the dictionaries.")
    missed = [name for found, true in _pairs(first) for name in true if name not in found]
    if missed:
        return wrong(f"`made_outside` misses a plain variable: {missed[0]}.")
    extra = [name for found, true in _pairs(first) for name in sorted(found) if name not in true]
    return wrong(f"`made_outside` names a variable that the strategy created: {extra[0]:.60}.")


def _pairs(found: Any) -> Any:
    return zip(found, _OUTSIDE, strict=True)


def _names(value: Any) -> Any:
    """A set of names for each of the dictionaries; None if it is anything else."""
    try:
        if not isinstance(value, list) or len(value) != len(_ALL):
            return None
        lists = [one for one in value if isinstance(one, (list, tuple, set))]
        found = tuple(frozenset(str(name) for name in one) for one in lists)
    except Exception:
        return None
    return found if len(found) == len(_ALL) else None


_WRONG_NAMES: tuple[tuple[str, Sequence[Sequence[str]]], ...] = (
    (
        "`made_outside` names the variables whose values differ between the workers. But a plain"
        " variable, such as scale, may have equal values everywhere, although nothing keeps them"
        " equal.",
        _DIFFERENT,
    ),
    (
        "`made_outside` names all variables: a mirrored variable is a tf.Variable, too.",
        _ALL,
    ),
    (
        "`made_outside` names the variables without an aggregation. A mirrored variable may have"
        " none, for example kernel.",
        _UNAGGREGATED,
    ),
    (
        "`made_outside` names the variables that are not trainable. That determines what an"
        " optimizer does with them, not where they were created.",
        _UNTRAINABLE,
    ),
)

"""Lesson 07: the strategy API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.synchronised_norm import SYNC_NORM
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

# 07-1: the global mean of uneven batches

_MEANS, _ROWS = "found_means", "given_rows"

#: The global batch size in the lesson, which the last batches do not have.
_BATCH = 8


def _check_means(work: Work) -> Verdict:
    found, given = each_worker(work, _MEANS), each_worker(work, _ROWS)
    if len(found) < 2 or len(given) < 2 or not all(isinstance(one, list) and one for one in found):
        return not_yet("`mean_square` has not been called on both workers.")
    parts = [as_array(batch) for batch in given[0]] if isinstance(given[0], list) else []
    if not parts or any(part is None or part.ndim != 1 or not part.size for part in parts):
        return not_yet("The batches are not there: run the cells of the lesson again.")
    if _is_row_by_row(found[0][0], parts[0]):
        return wrong(
            "For 8 rows it gives four numbers: with `axis=None`, `reduce` combines the first row of"
            " one replica with the first of the other, the second with the second, and so on. For 5"
            " rows one replica has three of them, and the other has two."
        )
    if errors := [one for one in found[0] if isinstance(one, str) and "Error" in one]:
        return wrong(f"It raises {errors[0]:.200}.")
    numbers = [as_array(one) for one in found]
    if any(one is None or one.shape != (len(parts),) for one in numbers):
        return wrong("It does not give one number for a batch.")
    return _judge_means(numbers, parts)


def _is_row_by_row(shown: Any, part: Any) -> bool:
    """Whether it shows the squares of the two replicas' rows, combined one by one."""
    if not isinstance(shown, str) or not shown.startswith("["):
        return False
    try:
        numbers = np.array(shown.strip("[] ").split(), dtype=float)
    except ValueError:
        return False
    first, second = _halves(part)
    return len(first) == len(second) == len(numbers) and any(
        np.allclose(numbers, combined, rtol=1e-3)
        for combined in (first + second, (first + second) / 2)
    )


def _judge_means(numbers: list[Any], parts: list[Any]) -> Verdict:
    first, second = numbers
    if not np.allclose(first, second, rtol=1e-4, equal_nan=True):
        words = (
            f"For the first batch worker:0 has {first[0]:g} and worker:1 {second[0]:g}: each knows"
            " its own rows only."
        )
        return not_yet(words) if _is_stub(numbers, parts) else wrong(words)
    expected = np.array([np.mean(part**2) for part in parts])
    if np.allclose(first, expected, rtol=1e-4):
        return right("The mean of all rows, for 8 of them, for 5, and for 1.")
    for words, wrongly in _WRONG_MEANS:
        if np.allclose(first, [wrongly(part) for part in parts], rtol=1e-4, equal_nan=True):
            return wrong(words)
    at = int(np.flatnonzero(~np.isclose(first, expected, rtol=1e-4))[0])
    return wrong(
        f"For the {len(parts[at])} rows of batch {at} it gives {first[at]:g}; the mean of their"
        f" squares is {expected[at]:g}."
    )


def _halves(part: Any) -> tuple[Any, Any]:
    """The rows of worker 0 and of worker 1, squared."""
    middle = (len(part) + 1) // 2
    return part[:middle] ** 2, part[middle:] ** 2


def _is_stub(numbers: list[Any], parts: list[Any]) -> bool:
    own = [[_mean(half) for half in _halves(part)] for part in parts]
    return all(
        np.allclose(numbers[k], [one[k] for one in own], rtol=1e-4, equal_nan=True) for k in (0, 1)
    )


def _mean(rows: Any) -> float:
    return float(rows.mean()) if rows.size else float("nan")


_WRONG_MEANS: tuple[tuple[str, Callable[[Any], float]], ...] = (
    (
        "For 8 rows it is right. For 5 it is the mean of two means, one of 3 rows and one of 2; and"
        " for 1 row it is not a number, because one replica has a mean of nothing.",
        lambda part: float(np.mean([_mean(half) for half in _halves(part)])),
    ),
    (
        "For 8 rows and for 5 it is about twice the mean: each replica has divided by its own rows"
        " already, and the two means are added up. For 1 row it is not a number.",
        lambda part: sum(_mean(half) for half in _halves(part)),
    ),
    (
        "For 8 rows it is right, for 5 and for 1 too small: it divides by the global batch size,"
        " which the last batch does not have.",
        lambda part: float(np.sum(part**2) / _BATCH),
    ),
    (
        "It is a sum over the rows: nobody has divided by their number.",
        lambda part: float(np.sum(part**2)),
    ),
    (
        "It is a sum, divided by the number of replicas: the rows themselves were not counted.",
        lambda part: float(np.sum(part**2) / 2),
    ),
)


def _mean_square(of: str, combine: str) -> str:
    return f"""\
%%mw
@tf.function
def mean_square(batch):
    def replica(rows):
        return {of}

    return {combine.format(parts="strategy.run(replica, args=(batch,))")}
"""


_MEAN = Exercise(
    id="07-1",
    title="the mean of uneven batches",
    task=(
        "`uneven` is a list of batches for two replicas: 8 rows (four each), 5 (three and two), and"
        " 1 (one and none). Complete `mean_square(batch)`: the mean of the squares of all rows of"
        " the batch, the same number on both workers."
    ),
    stub=_mean_square("tf.reduce_mean(rows**2)", "{parts}"),
    check=_check_means,
    hints=(
        "What does a mean forget that you need when you want to combine two of them?",
        "Let a replica return what belongs to each row, and not a mean. Or two sums.",
        "`strategy.reduce` can take the mean over the rows of all replicas: see its `axis`.",
    ),
    solution=_mean_square("rows**2", 'strategy.reduce("MEAN", {parts}, axis=0)'),
    reasoning=(
        "With an axis `reduce` knows how many rows each replica has: it adds up the sums and the"
        " counts, and divides once. A replica without rows adds nothing to either. The same by"
        " hand: all-reduce the sum of the squares, all-reduce the number of rows, and divide. What"
        " cannot work is a mean in each replica: it has forgotten of how many rows it is."
    ),
    sabotages=(
        Sabotage(
            "the mean of the means is the mean",
            _mean_square("tf.reduce_mean(rows**2)", 'strategy.reduce("MEAN", {parts}, axis=None)'),
            "a mean of nothing",
        ),
        Sabotage(
            "what replicas return is added up, so I add up",
            _mean_square("tf.reduce_mean(rows**2)", 'strategy.reduce("SUM", {parts}, axis=None)'),
            "the two means are added up",
        ),
        Sabotage(
            "every batch has the global batch size",
            _mean_square(
                "tf.reduce_sum(rows**2) / 8", 'strategy.reduce("SUM", {parts}, axis=None)'
            ),
            "divides by the global batch size",
        ),
        Sabotage(
            "axis=0 alone makes it a mean",
            _mean_square("rows**2", 'strategy.reduce("SUM", {parts}, axis=0)'),
            "nobody has divided",
        ),
        Sabotage(
            "MEAN divides by the rows",
            _mean_square("tf.reduce_sum(rows**2)", 'strategy.reduce("MEAN", {parts}, axis=None)'),
            "the rows themselves were not counted",
        ),
        Sabotage(
            "axis=None takes everything that there is",
            _mean_square("rows**2", 'strategy.reduce("MEAN", {parts}, axis=None)'),
            "with `axis=None`, `reduce` combines the first row",
        ),
        Sabotage(
            "reduce works in a replica, too",
            _mean_square('strategy.reduce("MEAN", rows**2, axis=0)', "{parts}"),
            "requires being in cross-replica context",
        ),
    ),
    session=(_MEANS, _ROWS),
)

# 07-2: the variables that were made outside

_NAMED = "named"

#: The names in the three dictionaries of the lesson, and those of plain variables.
_ALL = (("kernel", "scale", "count"), ("kernel", "mean", "count"), ("offset", "mean", "scale"))
_OUTSIDE = (("scale",), (), ("offset", "scale"))

#: Those of them that differ between the workers; that have no aggregation; that are not trainable.
_DIFFERENT = ((), (), ("offset",))
_UNAGGREGATED = (("kernel", "scale"), ("kernel", "mean"), ("offset", "mean", "scale"))
_UNTRAINABLE = (("count",), ("mean", "count"), ("offset", "mean"))


def _check_outside(work: Work) -> Verdict:
    named = [_names(value) for value in each_worker(work, _NAMED)]
    if len(named) < 2 or any(one is None for one in named):
        return not_yet("`made_outside` has not returned lists of names on both workers.")
    first, second = named
    if first != second:
        return wrong("It names other variables on worker:0 than on worker:1.")
    for words, guess in _WRONG_NAMES:
        if first == tuple(map(frozenset, guess)):
            return wrong(words)
    if first == tuple(map(frozenset, _OUTSIDE)):
        return right("One in the first dictionary, none in the second, two in the third.")
    if not any(first or ()):
        return not_yet("It names no variable in any of the dictionaries.")
    missed = [name for found, true in _pairs(first) for name in true if name not in found]
    if missed:
        return wrong(f"It misses a variable that is plain: {missed[0]}.")
    extra = [name for found, true in _pairs(first) for name in sorted(found) if name not in true]
    return wrong(f"It names a variable that is mirrored: {extra[0]:.60}.")


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
        "It names those whose values differ between the workers. But a plain variable may have"
        " equal values everywhere, as scale has: nothing would keep them equal.",
        _DIFFERENT,
    ),
    (
        "It names all of them, mirrored ones as well: a mirrored variable is a tf.Variable, too.",
        _ALL,
    ),
    (
        "It names those that combine nothing when replicas assign to them. A mirrored variable may"
        " well have no aggregation, as kernel has.",
        _UNAGGREGATED,
    ),
    (
        "It names those that are not trainable. That says what an optimizer does with them, and not"
        " where they were made.",
        _UNTRAINABLE,
    ),
)


def _made_outside(condition: str) -> str:
    return f"""\
%%mw
def made_outside(variables):
    return [name for name, variable in variables.items() if {condition}]
"""


_OUTSIDER = Exercise(
    id="07-2",
    title="find the variables that were made outside",
    task=(
        "Somebody forgot the scope, and nothing failed. Write `made_outside(variables)`: it gets a"
        " dictionary of names and variables, and returns the list of the names of those that"
        " `strategy` has not made. The next cell calls it for the three dictionaries in `suspects`."
    ),
    stub="%%mw\ndef made_outside(variables):\n    return []\n",
    check=_check_outside,
    hints=(
        "Print a variable of each kind. What do you see that does not depend on its value?",
        "Who knows which variables it has made? Section 9 has asked it.",
        "`strategy.extended` has a method that tells this of one variable.",
    ),
    solution=_made_outside("not strategy.extended.variable_created_in_scope(variable)"),
    reasoning=(
        "Values prove nothing: copies that were made apart can be equal, at first or by equal"
        " seeds. The strategy knows what it has made, and a mirrored variable knows its strategy."
        " Its class would do as well: MirroredVariable and SyncOnReadVariable are a strategy's,"
        " ResourceVariable is nobody's. (A variable of Keras 3 is wrapped: ask its `value`.)"
    ),
    sabotages=(
        Sabotage(
            "what was made outside differs between the workers",
            _made_outside(
                "len(set(strategy.gather(tf.reshape(variable.read_value(), [1, -1])[:, :1], axis=0)"
                ".numpy().ravel().tolist())) > 1"
            ),
            "nothing would keep them equal",
        ),
        Sabotage(
            "a mirrored variable is no tf.Variable",
            _made_outside("isinstance(variable, tf.Variable)"),
            "is a tf.Variable, too",
        ),
        Sabotage(
            "a mirrored variable is one with an aggregation",
            _made_outside("variable.aggregation == tf.VariableAggregation.NONE"),
            "may well have no aggregation",
        ),
        Sabotage(
            "the strategy makes the trainable variables",
            _made_outside("not variable.trainable"),
            "what an optimizer does with them",
        ),
    ),
    session=(_NAMED,),
)

EXERCISES = (_MEAN, _OUTSIDER, SYNC_NORM)

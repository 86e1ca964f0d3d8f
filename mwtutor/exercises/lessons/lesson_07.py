"""Lesson 07: the strategy API."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong


def _each(work: Work, expression: str) -> list[Any]:
    """The values, those of `worker:0` first."""
    found = work.session[expression]
    return [found[task] for task in sorted(found, key=str)]


def _array(value: Any) -> Any:
    """As numbers; None if it is none."""
    try:
        return np.asarray(value, dtype=float)
    except (TypeError, ValueError, OverflowError):
        return None


# 07-1: the global mean of uneven batches

_MEANS, _ROWS = "found_means", "given_rows"

#: The global batch size in the lesson, which the last batches do not have.
_BATCH = 8


def _check_means(work: Work) -> Verdict:
    found, given = _each(work, _MEANS), _each(work, _ROWS)
    if len(found) < 2 or len(given) < 2 or not all(isinstance(one, list) for one in found):
        return not_yet("`mean_square` has not been called on both workers.")
    parts = [_array(batch) for batch in given[0]] if isinstance(given[0], list) else []
    if not parts or any(part is None or part.ndim != 1 or not part.size for part in parts):
        return not_yet("The batches are not there: run the cells of the lesson again.")
    if errors := [one for one in found[0] if isinstance(one, str) and "Error" in one]:
        return wrong(f"It raises {errors[0]:.200}.")
    numbers = [_array(one) for one in found]
    if any(one is None or one.shape != (len(parts),) for one in numbers):
        return wrong("It does not give one number for a batch.")
    return _judge_means(numbers, parts)


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
    named = [_names(value) for value in _each(work, _NAMED)]
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
    title="find the variable that was made outside",
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
        "`strategy.extended.variable_created_in_scope(variable)`.",
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

# 07-3: batch normalization with the statistics of all replicas

_NORMALIZED, _FEATURES = "normalized", "features.numpy().tolist()"

#: What is added to the variance.
_EPSILON = 1e-3


def _check_norm(work: Work) -> Verdict:
    parts = [_array(value) for value in _each(work, _FEATURES)]
    found = [_array(value) for value in _each(work, _NORMALIZED)]
    if len(parts) < 2 or len(found) < 2:
        return not_yet("`sync_norm` has not run on both workers.")
    if any(part is None or part.ndim != 2 or part.size == 0 for part in parts):
        return not_yet("The features are not there: run the cells of the lesson again.")
    if any(value is None or value.ndim == 0 for value in found):
        return not_yet("`sync_norm` has not returned rows of numbers on both workers.")
    if any(value.shape != part.shape for value, part in zip(found, parts, strict=True)):
        return wrong("The shape of what it returns is not that of its argument.")
    if all(np.allclose(a, b) for a, b in zip(found, parts, strict=True)):
        return not_yet("The features come out as they went in.")
    return _judge_norm(found, parts)


def _judge_norm(found: list[Any], parts: list[Any]) -> Verdict:
    if _is_normalized(found, parts, *_statistics(np.concatenate(parts))):
        return right("As one process with all eight rows would normalize them.")
    if all(_is_normalized([f], [p], *_statistics(p)) for f, p in zip(found, parts, strict=True)):
        return wrong(
            "Each replica's features have mean 0 and variance 1 on their own: each was normalized"
            " with its own statistics, as if the others had no rows."
        )
    for words, statistics in _WRONG_STATISTICS:
        if _is_normalized(found, parts, *statistics(parts)):
            return wrong(words)
    mean, variance = _statistics(np.concatenate(found))
    return wrong(
        f"Over all eight rows the first feature has the mean {mean[0]:.3f} and the variance"
        f" {variance[0]:.3f} now, and the second {mean[1]:.3f} and {variance[1]:.3f}."
    )


def _statistics(rows: Any) -> tuple[Any, Any]:
    return rows.mean(0), rows.var(0)


def _is_normalized(found: list[Any], parts: list[Any], mean: Any, variance: Any) -> bool:
    with np.errstate(all="ignore"):
        scale = np.sqrt(variance + _EPSILON)
        return all(
            np.allclose(value, (part - mean) / scale, rtol=1e-3, atol=1e-3)
            for value, part in zip(found, parts, strict=True)
        )


def _means_of_statistics(parts: list[Any]) -> tuple[Any, Any]:
    return np.mean([p.mean(0) for p in parts], 0), np.mean([p.var(0) for p in parts], 0)


def _own_variances(parts: list[Any]) -> tuple[Any, Any]:
    """The right mean; of the variances, the mean over the rows of what each part has alone."""
    rows = [len(part) for part in parts]
    return np.concatenate(parts).mean(0), np.average([p.var(0) for p in parts], 0, weights=rows)


def _moments_of_moments(parts: list[Any]) -> tuple[Any, Any]:
    """Means of means, and of means of squares."""
    mean = np.mean([p.mean(0) for p in parts], 0)
    return mean, np.mean([(p**2).mean(0) for p in parts], 0) - mean**2


def _unbiased(parts: list[Any]) -> tuple[Any, Any]:
    rows = np.concatenate(parts)
    return rows.mean(0), rows.var(0, ddof=1)


_WRONG_STATISTICS: tuple[tuple[str, Callable[[list[Any]], tuple[Any, Any]]], ...] = (
    (
        "Mean and variance are the means of the two replicas' own. The variance within each is all"
        " that is left: that the replicas' means are apart is lost.",
        _means_of_statistics,
    ),
    (
        "The mean is right. The variance is what the replicas have on average, each around its own"
        " mean: it must be taken around the mean of all.",
        _own_variances,
    ),
    (
        "It is nearly right: the moments of the two replicas are averaged as if both had as many"
        " rows. One has five and one has three.",
        _moments_of_moments,
    ),
    (
        "The variance is divided by 7, the number of rows less one. Batch normalization divides by"
        " the number of rows.",
        _unbiased,
    ),
)


def _norm(body: str) -> str:
    lines = "".join(f"    {line}\n" for line in body.strip().splitlines())
    return f"%%mw\ndef sync_norm(x):\n{lines}"


_CONTEXT = "context = tf.distribute.get_replica_context()\n"
_RESULT = "return (x - mean) / tf.sqrt(variance + 0.001)\n"
_COUNTED = (
    _CONTEXT
    + """\
own = [tf.cast(tf.shape(x)[0], tf.float32), tf.reduce_sum(x, 0), tf.reduce_sum(x**2, 0)]
rows, total, squares = context.all_reduce("SUM", own)
mean = total / rows
"""
)

_SYNC_NORM = Exercise(
    id="07-3",
    title="synchronised batch normalization by hand",
    hard=True,
    task=(
        "`features` has five rows on `worker:0` and three on `worker:1`. Write `sync_norm(x)`,"
        " which the next cell calls in each replica with its rows: it subtracts from each column"
        " the mean, and divides it by the square root of the variance plus 0.001. Mean and variance"
        " are those of all eight rows, as if one process had them. (The variance is the mean of the"
        " squared distances from the mean.)"
    ),
    stub="%%mw\ndef sync_norm(x):\n    return x  # not normalized yet\n",
    check=_check_norm,
    hints=(
        "Which three sums over all rows are enough to compute both statistics?",
        "A replica's own variance is around its own mean, and that is the wrong one. The mean of"
        " the squares is around nothing.",
        "All-reduce the number of rows, the sums of `x` and the sums of `x**2`; then the mean is"
        " `total / rows`, and the variance `squares / rows - mean**2`.",
    ),
    solution=_norm(_COUNTED + "variance = squares / rows - mean**2\n" + _RESULT),
    reasoning=(
        "Sums over rows can be added up, whoever has how many of them; means and variances cannot."
        " From the number of rows, the sum and the sum of the squares both statistics follow, so"
        " one all-reduce of three small tensors is enough. (In Keras it is"
        " BatchNormalization(synchronized=True). Where values are large and their variance small,"
        " a second all-reduce, of the squared distances from the common mean, is more exact.)"
    ),
    sabotages=(
        Sabotage(
            "a layer sees the whole batch",
            _norm("mean, variance = tf.nn.moments(x, axes=[0])\n" + _RESULT),
            "as if the others had no rows",
        ),
        Sabotage(
            "statistics can be averaged",
            _norm(
                _CONTEXT
                + "mean, variance = tf.nn.moments(x, axes=[0])\n"
                + 'mean, variance = context.all_reduce("MEAN", [mean, variance])\n'
                + _RESULT
            ),
            "that the replicas' means are apart is lost",
        ),
        Sabotage(
            "with the rows as weights variances can be averaged",
            _norm(
                _COUNTED
                + "around_own = tf.nn.moments(x, axes=[0])[1] * own[0]\n"
                + 'variance = context.all_reduce("SUM", around_own) / rows\n'
                + _RESULT
            ),
            "it must be taken around the mean of all",
        ),
        Sabotage(
            "every replica has as many rows",
            _norm(
                _CONTEXT
                + "moments = [tf.reduce_mean(x, 0), tf.reduce_mean(x**2, 0)]\n"
                + 'mean, squares = context.all_reduce("MEAN", moments)\n'
                + "variance = squares - mean**2\n"
                + _RESULT
            ),
            "One has five and one has three",
        ),
        Sabotage(
            "a variance is divided by one less than the number",
            _norm(
                _COUNTED + "variance = (squares / rows - mean**2) * rows / (rows - 1)\n" + _RESULT
            ),
            "divided by 7",
        ),
    ),
    session=(_NORMALIZED, _FEATURES),
)

EXERCISES = (_MEAN, _OUTSIDER, _SYNC_NORM)

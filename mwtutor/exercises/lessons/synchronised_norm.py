"""Exercise 07-3: batch normalization with the statistics of all replicas."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

_NORMALIZED, _FEATURES = "normalized", "features.numpy().tolist()"

#: What is added to the variance.
_EPSILON = 1e-3


def _check_norm(work: Work) -> Verdict:
    parts = [as_array(value) for value in each_worker(work, _FEATURES)]
    found = [as_array(value) for value in each_worker(work, _NORMALIZED)]
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
    everything = _statistics(np.concatenate(parts))
    if _is_normalized(found, parts, *everything):
        return right("As one process with all eight rows would normalize them.")
    if _is_normalized(found, parts, *everything, epsilon=0.0):
        return wrong(
            "Mean and variance are right; the 0.001 under the root is missing. It counts where a"
            " variance is small, as in the third column."
        )
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


def _is_normalized(
    found: list[Any], parts: list[Any], mean: Any, variance: Any, epsilon: float = _EPSILON
) -> bool:
    with np.errstate(all="ignore"):
        scale = np.sqrt(variance + epsilon)
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

SYNC_NORM = Exercise(
    id="07-3",
    title="synchronised batch normalization by hand",
    hard=True,
    task=(
        "`features` has five rows on `worker:0` and three on `worker:1`. Write `sync_norm(x)`,"
        " which the next cell calls in each replica with its rows: it subtracts from each column"
        " the mean, and divides it by `tf.sqrt(variance + 0.001)`. Mean and variance"
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
            "the small number under the root is for zeros only",
            _norm(
                _COUNTED + "variance = squares / rows - mean**2\n" + _RESULT.replace(" + 0.001", "")
            ),
            "under the root is missing",
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

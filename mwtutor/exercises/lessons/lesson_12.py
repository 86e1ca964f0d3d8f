"""Lesson 12: Estimator."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.keras_moves import MOVE
from mwtutor.exercises.lessons.shuffled_rows import earliest
from mwtutor.exercises.lessons.worker_values import as_array, each_worker

# 12-1: an input function for any context

_READ = "rows_read"

#: How many rows there are, and the contexts in which the lesson calls the function.
_ROWS = 40

#: Rows of a worker that are shuffled come earlier than in their order by so many places at least.
_EARLY = 5
_ALONE, _TWO, _FOUR = "no context", "2 pipelines, 2 replicas", "2 pipelines, 4 replicas"


def _check_input(work: Work) -> Verdict:
    found = next(iter(each_worker(work, _READ)), None)
    if not isinstance(found, dict) or set(found) != {_ALONE, _TWO, _FOUR}:
        return not_yet("`rows_for` has not been called.")
    parts = {name: _parts(found[name]) for name in found}
    for name in (_TWO, _FOUR):
        if words := _fault(name, parts[name], found[name]):
            return not_yet(words) if parts == _STUB else wrong(words)
    alone = parts[_ALONE]
    if alone is None:
        return wrong(f"Without a context, as in one process, it raises {found[_ALONE]!s:.100}")
    whole = [row for part in alone for row in part]
    if sorted(whole) != list(range(_ROWS)):
        return wrong(f"Without a context it reads {len(whole)} rows, {len(set(whole))} different.")
    if not any(part != sorted(part) for part in parts[_TWO] or []):
        return wrong("The rows are shared out, but they come in order: nobody has shuffled them.")
    early = max(earliest(part) for name in (_TWO, _FOUR) for part in parts[name] or [])
    if early < _EARLY:
        return wrong(
            f"The rows are shared out. But of a worker's rows none comes more than {early} places"
            " before its turn: that is hardly shuffled."
        )
    return right("Each row is read by one worker, in any context, and none of them is left out.")


def _parts(value: Any) -> list[list[int]] | None:
    """The rows of each worker; None if it is anything else."""
    try:
        parts = [[int(row) for row in part] for part in value if not isinstance(part, str)]
    except (TypeError, ValueError, OverflowError):
        return None
    return parts if len(parts) == len(value) else None


#: What the stub reads: everything, everywhere, in order.
_STUB = {name: [list(range(_ROWS))] * count for name, count in ((_ALONE, 1), (_TWO, 2), (_FOUR, 2))}


def _fault(name: str, parts: list[list[int]] | None, found: Any) -> str:
    if parts is None or len(parts) != 2:
        return f"With {name} it raises, or gives no rows: {found!s:.100}"
    first, second = map(sorted, parts)
    every = list(range(_ROWS))
    if first == second == every:
        return f"With {name} both workers read all {_ROWS} rows: {2 * _ROWS} in an epoch."
    if first == second:
        return f"With {name} both workers read the same {len(first)} rows, and the others nobody."
    left = sorted(set(every) - set(first) - set(second))
    both = sorted(set(first) & set(second))
    if left and both:
        return (
            f"With {name} {len(both)} rows are read by both workers and {len(left)} by nobody: each"
            " has taken its part from an order of its own."
        )
    if left:
        return f"With {name} {len(left)} of {_ROWS} rows are read by nobody."
    return f"With {name} {len(both)} rows are read by both workers." if both else ""


def _rows_for(body: str) -> str:
    return f"%%mw\ndef rows_for(context):\n{body}\n"


_IF_ANY = """\
    data = tf.data.Dataset.range(40)
    if context is not None:
        data = data.shard(context.num_input_pipelines, context.input_pipeline_id)
"""

_INPUT = Exercise(
    id="12-1",
    title="an input function for any context",
    task=(
        "Complete `rows_for(context)`: an input function whose workers together read each of 40"
        " rows once in an epoch, shuffled and in batches. It is called in one process, without a"
        " context (`None`); on two workers with a replica each; and on two workers with two"
        " replicas each."
    ),
    stub=_rows_for("    return tf.data.Dataset.range(40).batch(4)"),
    check=_check_input,
    hints=(
        "What does a context know? See `shared_out` in section 1.",
        "A worker has one input pipeline, however many replicas it feeds.",
        "If each worker takes its part of what it has shuffled, whose parts are these?",
    ),
    solution=_rows_for(_IF_ANY + "    return data.shuffle(40).batch(4)"),
    reasoning=(
        "The parts are taken from one order that all workers have, so they do not overlap and"
        " leave nothing out; then each worker shuffles its own part. The number of parts is the"
        " number of input pipelines, because the replicas of one worker share its pipeline and"
        " take batches in turn. Without a strategy there is no context, and the data are whole."
    ),
    sabotages=(
        Sabotage(
            "two seeds are as good as two parts",
            _rows_for("    return tf.data.Dataset.range(40).shuffle(40).batch(4)"),
            "both workers read all",
        ),
        Sabotage(
            "first mix, then share out",
            _rows_for(
                _IF_ANY.replace("range(40)", "range(40).shuffle(40)") + "    return data.batch(4)"
            ),
            "an order of its own",
        ),
        Sabotage(
            "there are as many parts as replicas",
            _rows_for(
                _IF_ANY.replace("num_input_pipelines", "num_replicas_in_sync")
                + "    return data.shuffle(40).batch(4)"
            ),
            "rows are read by nobody.",
        ),
        Sabotage(
            "the first part is everybody's",
            _rows_for(
                _IF_ANY.replace("context.input_pipeline_id", "0")
                + "    return data.shuffle(40).batch(4)"
            ),
            "both workers read the same",
        ),
        Sabotage(
            "there always is a context",
            _rows_for(
                "    data = tf.data.Dataset.range(40).shard(\n"
                "        context.num_input_pipelines, context.input_pipeline_id\n"
                "    )\n    return data.shuffle(40).batch(4)"
            ),
            "Without a context, as in one process, it raises",
        ),
        Sabotage(
            "batches are shuffled as well as rows are",
            _rows_for(_IF_ANY + "    return data.batch(4)"),
            "nobody has shuffled",
        ),
    ),
    session=(_READ,),
)

# 12-2: a loss that counts rows

_LOSSES = "losses_found"

#: The batch sizes of the lesson; the loss of a row is a hundredth of its number, below 297.
_BATCHES = ("99", "100", "297")
_EACH = np.arange(297) / 100.0

#: The same of some rows only: from 100 on, 190 of them.
_LOSS_OF_SOME, _OF_SOME = "loss_of_some", float(_EACH[100:290].mean())


def _check_loss(work: Work) -> Verdict:
    found = next(iter(each_worker(work, _LOSSES)), None)
    if not isinstance(found, Mapping) or set(found) != set(_BATCHES):
        return not_yet("Nothing was evaluated.")
    if any(found[batch] is None for batch in _BATCHES):
        return not_yet("There is no metric `mean loss`.")
    numbers = [as_array(found[batch]) for batch in _BATCHES]
    if any(number is None or number.shape != () for number in numbers):
        return wrong(f"The evaluation raises {next(iter(found.values()))!s:.200}")
    given = np.array(numbers)
    told = ", ".join(f"{number:.3f}" for number in given)
    if np.allclose(given, _EACH.mean(), rtol=1e-4):
        some = as_array(next(iter(each_worker(work, _LOSS_OF_SOME)), None))
        if some is None or some.shape != ():
            return not_yet("Only all rows were evaluated: run the cell below yours again.")
        if not np.isclose(some, _OF_SOME, rtol=1e-4):
            return wrong(
                f"Of all rows it is right. Of the rows 100 to 289 it is {some:.3f}, and a row has"
                f" {_OF_SOME:.3f} on average."
            )
        return right(f"{given[0]:.3f}, whatever the batch.")
    for words, wrongly in _WRONG_LOSSES:
        if np.allclose(given, [wrongly(int(batch)) for batch in _BATCHES], rtol=1e-4):
            return wrong(f"{told} with batches of 99, 100 and 297 rows: {words}")
    return wrong(
        f"{told} with batches of 99, 100 and 297; a row has {_EACH.mean():.3f} on average."
    )


def _batches(size: int) -> list[Any]:
    return [_EACH[at : at + size] for at in range(0, len(_EACH), size)]


def _mean_over_batches(of: Any) -> Any:
    return lambda size: float(np.mean([of(batch) for batch in _batches(size)]))


_WRONG_LOSSES = (
    (
        "right if all batches are equal, and else a mean of means, in which a row of the small"
        " batch counts more than the others.",
        _mean_over_batches(np.mean),
    ),
    ("a mean of sums: the larger the batch, the larger.", _mean_over_batches(np.sum)),
    (
        "the sum of a batch, divided by the batch of the training.",
        _mean_over_batches(lambda batch: batch.sum() / 32),
    ),
    (
        "right for 99 rows only. That number does not belong to the batch that is there.",
        _mean_over_batches(lambda batch: batch.sum() / 99),
    ),
)


def _metrics_of(value: str) -> str:
    return f'%%mw\ndef metrics_of(each):\n    return {{"mean loss": {value}}}\n'


_LOSS = Exercise(
    id="12-2",
    title="a loss that counts rows",
    task=(
        "Complete `metrics_of(each)`, which a `model_fn` calls for `eval_metric_ops`: `each` has"
        " the loss of each row of a batch. The metric `mean loss` is to be the mean over all 297"
        " rows, whatever the batch size. The next cell evaluates with batches of 99, 100 and 297."
    ),
    stub="%%mw\ndef metrics_of(each):\n    return {}\n",
    check=_check_loss,
    hints=(
        "Why did the accuracy not depend on the batch size, in section 2?",
        "A metric of `v1.metrics` adds up values and counts them, over all batches.",
        "`v1.metrics.mean` takes many values at once. What does it count if you give it one?",
    ),
    solution=_metrics_of("v1.metrics.mean(each)"),
    reasoning=(
        "`v1.metrics.mean` keeps a sum and a count. Given the losses of all rows of a batch it"
        " counts rows; given one number, a mean or a sum, it counts batches. It is the same for"
        " several replicas and workers: sums and counts are added up, and divided once."
    ),
    sabotages=(
        Sabotage(
            "the mean of the means is the mean",
            _metrics_of("v1.metrics.mean(tf.reduce_mean(each))"),
            "a mean of means",
        ),
        Sabotage(
            "a sum per batch is summed up",
            _metrics_of("v1.metrics.mean(tf.reduce_sum(each))"),
            "a mean of sums",
        ),
        Sabotage(
            "the loss is that of the training",
            _metrics_of("v1.metrics.mean(tf.reduce_sum(each) / digits_input.BATCH)"),
            "the batch of the training",
        ),
        Sabotage(
            "the batch size is a number of the program",
            _metrics_of("v1.metrics.mean(tf.reduce_sum(each) / 99)"),
            "right for 99 rows only",
        ),
        Sabotage(
            "a metric is a tensor",
            _metrics_of("tf.reduce_mean(each)"),
            "TypeError",
        ),
    ),
    session=(_LOSSES, _LOSS_OF_SOME),
)

EXERCISES = (_INPUT, _LOSS, MOVE)

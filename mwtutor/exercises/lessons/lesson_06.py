"""Lesson 06: evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong

Array = npt.NDArray[np.float64]

#: Rows of the test data, the batch in which they are to be evaluated, and how often.
ROWS, BATCH, TIMES = 297, 64, 3

# 06-1: an evaluation that never runs out

_SEEN = "seen"
_CARDINALITY = "int(validation.cardinality())"
_INFINITE = -1


def _check_steps(work: Work) -> Verdict:
    found = [work.session[_SEEN][task] for task in sorted(work.session[_SEEN], key=str)]
    evaluations = _evaluations(found)
    if not evaluations:
        return not_yet("Nothing has been evaluated.")
    counts = [[Counter(rows)[row] for row in range(ROWS)] for rows in evaluations]
    if len(counts) < TIMES:
        return wrong(
            f"The rows were evaluated in {len(counts)} of {TIMES} epochs: the data ran out."
        )
    for each in counts:
        if verdict := _miscounted(each):
            return verdict
    if _INFINITE not in work.session[_CARDINALITY].values():
        return wrong(
            "Each row was evaluated once in each epoch. But your data set has an end, and it is"
            " only the number of steps that keeps it from running out."
        )
    return right(f"{TIMES} evaluations, each of all {ROWS} rows, once, and nothing can run out.")


def _miscounted(counts: Sequence[int]) -> Verdict | None:
    never, often = counts.count(0), sum(count > 1 for count in counts)
    if often == ROWS:
        return wrong(
            f"Every row was evaluated {min(counts)} times or more in an epoch. The accuracy does"
            " not show it; the time does. A step takes a batch for all workers together."
        )
    if never and often:
        return wrong(
            f"In an epoch {never} rows were never evaluated, and {often} twice: the last batch of"
            " the data is missing, and the steps went on with the first."
        )
    if never:
        return wrong(
            f"In an epoch {never} rows were never evaluated, the same ones in each: the steps end"
            " before the data do."
        )
    if often:
        return wrong(
            f"In an epoch {often} rows were evaluated twice: one of your batches has rows of the"
            " end of the data and of their beginning."
        )
    return None


def _evaluations(found: Sequence[Any]) -> list[list[int]]:
    """Of each epoch the rows that the workers have evaluated, all together."""
    if len(found) < 2 or not all(isinstance(one, list) and one for one in found):
        return []
    rows = [[_rows(epoch) for epoch in one] for one in found]
    return [[row for part in epoch for row in part] for epoch in zip(*rows, strict=False)]


def _rows(epoch: Any) -> list[int]:
    return [row for row in epoch if isinstance(row, int)] if isinstance(epoch, list) else []


def _steps(validation: str, steps: str) -> str:
    return f"%%mw\nvalidation = {validation}\nsteps = {steps}\n"


_STEPS = Exercise(
    id="06-1",
    title="an evaluation that never runs out",
    task=(
        f"`rows` is the data set of the {ROWS} test rows, one by one. Make `validation`, a data set"
        f" of batches of at most {BATCH} rows that never ends, and choose `steps`, so that after"
        " each epoch of training every row is evaluated exactly once. The next cell trains for"
        f" {TIMES} epochs, with `validation_data=validation, validation_steps=steps`, and notes"
        " which rows were evaluated."
    ),
    stub="%%mw\nvalidation = None\nsteps = None\n",
    check=_check_steps,
    hints=(
        "`batch` and `repeat` both have to be there. Does it matter which comes first?",
        "If you repeat the rows, a batch may hold the last rows and the first ones. If you repeat"
        " the batches, the last one stays as small as it is.",
        f"How many batches of {BATCH} rows are {ROWS} rows, the last and smaller one included?",
    ),
    solution=_steps("rows.batch(64).repeat()", "-(-297 // 64)  # rounded up: 5"),
    reasoning=(
        f"Batched first, the {ROWS} rows make four batches of {BATCH} and one of 41, and these five"
        " come again and again. Five steps are one pass. Repeated first, the rows are one stream"
        " without seams, and the fifth batch is filled up with the first rows. The number of steps"
        " is that of global batches, however many workers share each of them."
    ),
    sabotages=(
        Sabotage(
            "the order of batch and repeat does not matter",
            _steps("rows.repeat().batch(64)", "5"),
            "of the end of the data and of their beginning",
        ),
        Sabotage(
            "the number of steps is rounded down",
            _steps("rows.batch(64).repeat()", "297 // 64"),
            "the steps end before the data do",
        ),
        Sabotage(
            "a step evaluates the share of one worker",
            _steps("rows.batch(64).repeat()", "10  # of 32 rows"),
            "A step takes a batch for all workers together",
        ),
        Sabotage(
            "a batch must be full",
            _steps("rows.batch(64, drop_remainder=True).repeat()", "5"),
            "the last batch of the data is missing",
        ),
        Sabotage(
            "if the steps are right, nothing needs to be repeated",
            _steps("rows.batch(64)", "5"),
            "your data set has an end",
        ),
    ),
    session=(_SEEN, _CARDINALITY),
)

# 06-2: what must travel

#: How many rows each worker has read; the last of them are those of the lesson.
_PARTS = ((4, 4), (6, 2), (5, 3, 0), (231, 66))


def _check_state(work: Work) -> Verdict:
    state, result = work.value("state"), work.value("result")
    if not callable(state) or not callable(result):
        return not_yet("`state` and `result` are not there.")
    for parts in _PARTS:
        labels, scores = _labelled(sum(parts))
        expected = float(np.mean((scores > 0.5) == labels))
        found = _combined(state, result, parts)
        if isinstance(found, Verdict):
            return found
        if not np.isclose(found, expected, atol=1e-9):
            return _why_wrong(parts, found, expected)
    return right("However the rows are shared out, it is the accuracy of all of them.")


def _combined(state: Any, result: Any, parts: Sequence[int]) -> float | Verdict:
    """What a cluster reports whose workers have read so many rows each."""
    states = []
    for labels, scores in _split(parts):
        one = state(labels, scores)
        if one is None:
            return not_yet()
        numbers = _numbers(one)
        if numbers is None:
            return wrong(
                f"state(labels, scores) gives {type(one).__name__}, not a list of numbers: only"
                " numbers can be added up."
            )
        states.append(numbers)
    if len({one.shape for one in states}) > 1:
        return wrong(
            "The workers' states have different lengths, so they cannot be added up: a state must"
            " not grow with the rows."
        )
    total = result(np.sum(states, axis=0).tolist())
    value = _numbers([total])
    if value is None:
        return not_yet() if total is None else wrong(f"result(total) gives {total!r:.60}.")
    if not np.isfinite(value[0]):
        return wrong(
            f"If {_and(parts)} rows are read, the result is {value[0]}. A worker that has got no"
            " rows must be able to say so."
        )
    return float(value[0])


def _why_wrong(parts: Sequence[int], found: float, expected: float) -> Verdict:
    own = [np.mean((s > 0.5) == y) if len(y) else 0.0 for y, s in _split(parts)]
    seen = f"Of {_and(parts)} rows the accuracy is {expected:.3f}, and yours is {found:.3f}"
    if np.isclose(found, np.sum(own)):
        return wrong(f"{seen}: the workers' accuracies are added up, and that is no accuracy.")
    if np.isclose(found, np.mean(own)):
        return wrong(
            f"{seen}: the mean of the workers' accuracies, in which a row counts more where there"
            " are fewer of them."
        )
    if np.isclose(found, expected * sum(parts) / ROWS):
        return wrong(f"{seen}: you divide by {ROWS} rows, however many have been read.")
    return wrong(f"{seen}.")


def _labelled(rows: int) -> tuple[npt.NDArray[np.int64], Array]:
    """Labels and scores of so many rows; the first half of them is easier than the second."""
    draw = np.random.default_rng(6)
    labels = draw.integers(0, 2, rows)
    ease = np.where(np.arange(rows) < 0.6 * rows, 0.9, 0.4)
    scores = np.where(draw.random(rows) < ease, labels, 1 - labels) * 0.6 + 0.2
    if rows:  # so that no number of rows is right by chance
        scores[0], scores[-1] = 0.2 + 0.6 * labels[0], 0.8 - 0.6 * labels[-1]
    return labels, scores


def _split(parts: Sequence[int]) -> Iterator[tuple[npt.NDArray[np.int64], Array]]:
    labels, scores = _labelled(sum(parts))
    ends = np.cumsum(parts)
    for begin, end in zip(ends - parts, ends, strict=True):
        yield labels[begin:end].copy(), scores[begin:end].copy()


def _numbers(value: Any) -> Array | None:
    try:
        found = np.asarray(value, dtype=float)
    except (TypeError, ValueError):
        return None
    return found if found.ndim == 1 and 0 < found.size <= 1000 else None


def _and(numbers: Sequence[int]) -> str:
    return f"{', '.join(map(str, numbers[:-1]))} and {numbers[-1]}"


def _state(state: str, result: str) -> str:
    return f"def state(labels, scores):\n    {state}\n\n\ndef result(total):\n    return {result}\n"


_RIGHT = "right = ((scores > 0.5) == labels)"

_STATE = Exercise(
    id="06-2",
    title="averaging averages",
    task=(
        "Two functions make a metric that any number of workers can share. `state(labels, scores)`"
        " is what one worker remembers of the rows that it has read: a list of numbers, always of"
        " the same length. The cluster adds the lists up, number by number. `result(total)` makes"
        " the accuracy of *all* rows out of the sum. A row is right if its score is above 0.5 just"
        " when its label is 1. Labels and scores are NumPy arrays; a worker may have read 231 rows,"
        " or 66, or none."
    ),
    stub="def state(labels, scores):\n    return None\n\n\ndef result(total):\n    return None\n",
    check=_check_state,
    hints=(
        "Two workers report an accuracy of 0.9 and of 0.5. What else must you know to say what it"
        " is of all rows?",
        "What of a mean can be added up? Not the mean itself.",
        "Two numbers are enough: how many are right, and of how many.",
    ),
    solution=_state(
        f"{_RIGHT}\n    return [right.sum(), len(right)]",
        "total[0] / total[1]",
    ),
    reasoning=(
        "The number of right rows can be added up, and so can the number of rows; their quotient"
        " is taken once, at the end. That is what the metrics of Keras do: `total` and `count`, or"
        " the four arrays of an AUC, are variables that are summed over the replicas, and"
        " `result()` divides. A mean forgets how many rows it is of."
    ),
    sabotages=(
        Sabotage(
            "an accuracy can be summed like a gradient",
            _state(f"{_RIGHT}\n    return [right.mean() if len(right) else 0]", "total[0]"),
            "that is no accuracy",
        ),
        Sabotage(
            "the mean of the accuracies is the accuracy",
            _state(
                f"{_RIGHT}\n    return [right.mean() if len(right) else 0, 1]",
                "total[0] / total[1]",
            ),
            "a row counts more where there are fewer",
        ),
        Sabotage(
            "the number of rows is known beforehand",
            _state(f"{_RIGHT}\n    return [right.sum()]", "total[0] / 297"),
            "however many have been read",
        ),
        Sabotage(
            "every worker has rows",
            _state(
                f"{_RIGHT}\n    return [right.mean() * len(right), len(right)]",
                "total[0] / total[1]",
            ),
            "must be able to say so",
        ),
        Sabotage(
            "the rows themselves must be collected",
            _state(f"{_RIGHT}\n    return right.astype(int).tolist()", "sum(total) / len(total)"),
            "must not grow with the rows",
        ),
    ),
)

# 06-3: three times too large

_BY_HAND, _TRUE = "by_hand", "losses_of_all_rows"

#: The batches in which the run cell evaluates: three full ones, a partial one, one with one row.
_BATCHES = (99, 64, 74)


def _check_by_hand(work: Work) -> Verdict:
    given = [work.session[_BY_HAND][task] for task in sorted(work.session[_BY_HAND], key=str)]
    losses = next((_losses(value) for value in work.session[_TRUE].values()), None)
    if len(given) < 2 or losses is None or not all(isinstance(one, dict) for one in given):
        return not_yet("Nothing has been evaluated.")
    found = [_numbers([one.get(batch) for batch in _BATCHES]) for one in given]
    if any(one is None for one in found):
        return not_yet("evaluate_by_hand did not give a number for each of the batch sizes.")
    first, second = np.asarray(found[0]), np.asarray(found[1])
    mean = float(losses.mean())
    if _same(first, np.array([_faulty(losses, batch) for batch in _BATCHES])):
        return not_yet(
            f"In batches of {_BATCHES[0]} it gives {first[0]:.3f}, and the mean over the rows is"
            f" {mean:.3f}: {first[0] / mean:.2f} times too large."
        )
    if not _same(first, second):
        return wrong(
            f"worker:0 reports {_listed(first)}, worker:1 {_listed(second)}: each knows only of"
            " its own rows."
        )
    if _same(first, np.full(len(_BATCHES), mean)):
        return right(f"It is {mean:.4f}, the mean over {ROWS} rows, whatever the batch.")
    return wrong(
        f"In batches of {_and(_BATCHES)} rows it gives {_listed(first)}. {_why(first, losses)}"
    )


def _why(found: Array, losses: Array) -> str:
    for formula, words in _MISTAKES:
        if _same(found, np.array([formula(losses, batch) for batch in _BATCHES])):
            return words
    if np.isnan(found).any():
        return (
            "With 74 the last batch has a single row, and a worker has none: the mean of nothing"
            " is no number."
        )
    return f"The mean over the rows is {losses.mean():.4f}."


def _batches(losses: Array, size: int) -> list[list[Array]]:
    """The losses, batch by batch, each shared out to two workers."""
    batches = [losses[begin : begin + size] for begin in range(0, len(losses), size)]
    return [[batch[: -(-len(batch) // 2)], batch[-(-len(batch) // 2) :]] for batch in batches]


def _faulty(losses: Array, size: int) -> float:
    return float(np.mean([sum(map(np.sum, batch)) / 32 for batch in _batches(losses, size)]))


def _scaled(losses: Array, size: int) -> float:
    return _faulty(losses, size) * 32 / 99


def _batch_size(losses: Array, size: int) -> float:
    return _faulty(losses, size) * 32 / size


def _batch_means(losses: Array, size: int) -> float:
    return float(np.mean([np.concatenate(batch).mean() for batch in _batches(losses, size)]))


def _sum_of_means(losses: Array, size: int) -> float:
    with np.errstate(invalid="ignore"):
        return float(np.mean([sum(_mean(part) for part in b) for b in _batches(losses, size)]))


def _mean_of_means(losses: Array, size: int) -> float:
    return _sum_of_means(losses, size) / 2


def _mean(part: Array) -> float:
    return float(part.mean()) if len(part) else float("nan")


_Formula = Callable[[Array, int], float]

_MISTAKES: tuple[tuple[_Formula, str], ...] = (
    (
        _scaled,
        "With 99 that is right, and with the others not: now it is divided by 99, as it was by 32,"
        " whatever a batch has.",
    ),
    (
        _batch_size,
        "With 99 that is right. With the others the last batch is smaller than the rest, and is"
        " divided as if it were not.",
    ),
    (
        _batch_means,
        "With 99 that is right. With the others a row of the last, small batch counts more than"
        " any other: it is a mean of means of batches.",
    ),
    (
        _sum_of_means,
        "It is about twice too large: each worker has taken the mean over its own rows, and the"
        " two means are added. With 74 a worker has no row in the last batch, and no mean.",
    ),
    (
        _mean_of_means,
        "It is nearly right with 99: the mean of two workers' means, of 50 rows and of 49. With 74"
        " a worker has no row in the last batch, and no mean.",
    ),
)


def _same(found: Array, expected: Array) -> bool:
    return bool(np.allclose(found, expected, rtol=1e-4, atol=1e-5, equal_nan=True))


def _listed(values: Array) -> str:
    return ", ".join(f"{value:.3f}" for value in values)


def _losses(value: Any) -> Array | None:
    found = _numbers(value)
    return found if found is not None and found.size == ROWS and found.any() else None


_LOOP = """\
%%mw
def replica_step(x, y):
{replica}


@tf.function(reduce_retracing=True)
def global_step(x, y):
{step}


def evaluate_by_hand(data):
{loop}
"""


def _hand(replica: str, step: str, loop: str) -> str:
    parts = {"replica": replica, "step": step, "loop": loop}
    return _LOOP.format(
        **{
            name: "\n".join(f"    {line}" for line in text.splitlines())
            for name, text in parts.items()
        }
    )


_SUM = 'return strategy.reduce("SUM", strategy.run(replica_step, args=(x, y)), axis=None)'
_EACH = (
    "steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]\n"
    "return float(sum(steps)) / len(steps)"
)
_OVER_32 = "return tf.reduce_sum(row_losses(x, y)) / 32  # the rows of a batch"
_OWN_MEAN = "return tf.reduce_mean(row_losses(x, y))"
_BOTH = (
    "losses = row_losses(x, y)\n"
    "return tf.stack([tf.reduce_sum(losses), tf.cast(tf.size(losses), tf.float32)])"
)

_THREE_TIMES = Exercise(
    id="06-3",
    title="three times too large",
    hard=True,
    task=(
        "This evaluation was written beside a training with batches of 32 rows. Its loss is three"
        " times too large, with batches of 99 rows; no error, no warning. Find out why, and repair"
        f" it, so that `evaluate_by_hand(data)` is the mean loss over the {ROWS} rows on both"
        f" workers, for any batch size. `row_losses(x, y)` gives the loss of each row. The next"
        f" cell evaluates in batches of {_and(_BATCHES)} rows."
    ),
    stub=_hand(_OVER_32, _SUM, _EACH),
    check=_check_by_hand,
    hints=(
        "How many rows has a batch here, and by how many is it divided?",
        "Replacing 32 by another number repairs it for one batch size. Which number is right for"
        " the last batch, too?",
        "Do not divide in a step at all. Let each step return two numbers that can be added up.",
    ),
    solution=_hand(
        _BOTH,
        _SUM,
        "steps = [global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)]\n"
        "total, rows = sum(steps).numpy()\n"
        "return float(total / rows)",
    ),
    reasoning=(
        "The sum of a batch of 99 rows was divided by 32, so the loss was 99 / 32 = 3.09 times too"
        " large. A metric keeps a sum and a number of rows, adds up both over replicas and over"
        " steps, and divides once, at the end. Then neither a partial batch, nor a replica without"
        " rows, nor another batch size can make it wrong."
    ),
    sabotages=(
        Sabotage(
            "the right constant repairs it",
            _hand(_OVER_32.replace("32", "99"), _SUM, _EACH),
            "now it is divided by 99",
        ),
        Sabotage(
            "all batches are as large as the first",
            _hand(
                "return tf.reduce_sum(row_losses(x, y))",
                _SUM,
                "distributed = strategy.experimental_distribute_dataset(data)\n"
                "size = len(next(iter(data))[0])\n"
                "steps = [global_step(x, y) / size for x, y in distributed]\n"
                "return float(sum(steps)) / len(steps)",
            ),
            "divided as if it were not",
        ),
        Sabotage(
            "the mean of the batches' means is the mean",
            _hand(
                _BOTH,
                _SUM,
                "steps = [\n"
                "    global_step(x, y) for x, y in strategy.experimental_distribute_dataset(data)\n"
                "]\n"
                "return float(sum(total / rows for total, rows in steps)) / len(steps)",
            ),
            "it is a mean of means of batches",
        ),
        Sabotage(
            "each replica takes its mean, and reduce makes one loss of them",
            _hand(_OWN_MEAN, _SUM, _EACH),
            "the two means are added",
        ),
        Sabotage(
            "the mean of the replicas' means is the mean",
            _hand(_OWN_MEAN, _SUM.replace("SUM", "MEAN"), _EACH),
            "the mean of two workers' means",
        ),
        Sabotage(
            "what strategy.run returns is the result of all",
            _hand(
                _BOTH,
                "return strategy.run(replica_step, args=(x, y))",
                "steps = [\n"
                "    strategy.experimental_local_results(global_step(x, y))[0]\n"
                "    for x, y in strategy.experimental_distribute_dataset(data)\n"
                "]\n"
                "total, rows = sum(steps).numpy()\n"
                "return float(total / rows)",
            ),
            "each knows only of its own rows",
        ),
    ),
    session=(_BY_HAND, _TRUE),
)

EXERCISES = (_STEPS, _STATE, _THREE_TIMES)

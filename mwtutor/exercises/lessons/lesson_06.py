"""Lesson 06: evaluation."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import Any

from mwtutor.exercises.exercise import Exercise, Sabotage, Verdict, Work, not_yet, right, wrong
from mwtutor.exercises.lessons.evaluation_by_hand import BY_HAND
from mwtutor.exercises.lessons.metric_state import ROWS, STATE

#: The batch in which the rows are to be evaluated, and how often.
BATCH, TIMES = 64, 3

_SEEN = "seen"
_STEPS_TAKEN = "int(steps)"
#: A data set of unknown size counts as endless if it has more batches than were evaluated.
_ENDLESS = (
    "int(validation.cardinality()) == -1 or int(validation.cardinality()) == -2"
    f" and sum(1 for _ in validation.take({TIMES} * int(steps) + 1)) > {TIMES} * int(steps)"
)


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
    steps = [taken for taken in work.session[_STEPS_TAKEN].values() if isinstance(taken, int)]
    if steps and min(steps) * BATCH < ROWS:
        return wrong(
            f"Each row was evaluated once in each epoch, in {min(steps)} steps: there are batches"
            f" of more than {BATCH} rows."
        )
    if True not in work.session[_ENDLESS].values():
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
            " not show it. A step takes a batch for all workers together."
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
        Sabotage(
            "one large batch is as good",
            _steps("rows.batch(297).repeat()", "1"),
            "there are batches of more than 64 rows",
        ),
    ),
    session=(_SEEN, _STEPS_TAKEN, _ENDLESS),
)

EXERCISES = (_STEPS, STATE, BY_HAND)

"""02-3: repair a program."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.run.logs import logs
from mwtutor.run.logs.logs import LogLine


def check(work: Work) -> Verdict:
    run = ended(work, "repaired.py")
    if isinstance(run, Verdict):
        return run
    outcome = run.outcome
    if outcome is not None and not outcome.ok:
        reasons = " ".join([outcome.reason, *(task.reason for task in run.tasks.values())])
        if "Collective ops must be configured" in reasons:
            return not_yet(
                "repaired.py still fails as before: an operation comes before the strategy."
            )
        return wrong(f"The run {outcome.status}: {outcome.reason}.")
    results, drawn = _printed(logs.lines(run.spec, list(run.tasks)))
    return _judge(results, drawn, met=not run.state.never_met())


def _printed(lines: Iterable[LogLine]) -> tuple[list[dict[str, Any]], list[list[Any]]]:
    """Each result, and each list of heights that the same worker drew."""
    said = list(lines)
    results = [
        (line.task, found) for line in said if (found := _said(line.text, "RESULT ")) is not None
    ]
    drawn = [(line.task, found) for line in said if (found := _said(line.text, "HEIGHTS "))]
    return (
        [found if isinstance(found, dict) else {} for _, found in results],
        [[found for other, found in drawn if other == task] for task, _ in results],
    )


def _said(text: str, word: str) -> Any:
    """The value on a line after this word; None if the line does not begin with it."""
    try:
        return json.loads(text.removeprefix(word)) if text.startswith(word) else None
    except ValueError:
        return {}


def _judge(results: list[dict[str, Any]], measured: list[list[Any]], *, met: bool) -> Verdict:
    """Judge what the workers print.

    Args:
        results: a line of each worker.
        measured: for each of these lines, the pairs of heights that its worker drew, which no other
            worker can know.
        met: whether the workers were in one cluster.
    """
    if len(results) != 2:
        return wrong(
            f"Each of two workers should print one RESULT; lines with RESULT: {len(results)}."
        )
    if not all({"replicas", "mean"} <= set(result) for result in results):
        return wrong("A RESULT lacks `replicas` or `mean`: leave the last two lines unchanged.")
    replicas = [result["replicas"] for result in results]
    if replicas != [2, 2]:
        why = "" if met else ": each ran on its own, because no strategy joined them in a cluster"
        return wrong(f"The workers count {replicas[0]} and {replicas[1]} replicas{why}.")
    if not met:
        return wrong("Both workers count two replicas, but no cluster was formed: each was alone.")
    if not all(pairs and all(map(_is_pair, pairs)) for pairs in measured):
        return wrong("Each worker must measure two heights, with `measured.heights()`.")
    calls = [len(pairs) for pairs in measured]
    if calls != [1, 1]:
        return wrong(
            f"The workers called `measured.heights()` {calls[0]} and {calls[1]} times. Call it"
            " once: each call measures two heights."
        )
    drawn = [pairs[0] for pairs in measured]
    means = [result["mean"] for result in results]
    if all(_near(mean, sum(two) / 2) for mean, two in zip(means, drawn, strict=True)):
        return wrong(
            f"The workers have different means, {means[0]} and {means[1]}: each has the mean of its"
            " own two heights only."
        )
    expected = sum(map(sum, drawn)) / 4
    if not all(_near(mean, expected) for mean in means):
        heights = ", ".join(f"{one:.2f}" for two in drawn for one in two)
        return wrong(
            f"The workers print {means[0]} and {means[1]}; the mean of {heights} is {expected:.2f}."
        )
    return right(f"Both workers know the mean of all four heights, {expected:.2f}.")


def _is_pair(two: Any) -> bool:
    numbers = isinstance(two, list) and all(isinstance(one, int | float) for one in two)
    return numbers and len(two) == 2


def _near(number: Any, expected: float) -> bool:
    """Whether it is that number, rounded to two digits."""
    return isinstance(number, int | float) and abs(number - expected) < 0.006

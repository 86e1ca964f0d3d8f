"""09-2: survive two kills."""

from __future__ import annotations

import math
from pathlib import Path

from mwtutor.exercises.exercise import (
    Verdict,
    Work,
    ended,
    not_yet,
    right,
    wrong,
)
from mwtutor.run.run import Run

#: The updates of the whole training, and those at which `KILLS` kills the first two attempts.
PLANNED, _KILLS = 120, (50, 90)

#: Sums of weights with a smaller relative difference count as equal.
_EQUAL = 1e-5


def check(work: Work) -> Verdict:
    run = ended(work, "survivor.py")
    if isinstance(run, Verdict):
        return run
    folder = work.folder / "survivor"
    attempts = _attempts(folder / "survivor-0.notes")
    if run.outcome is not None and not run.outcome.ok:
        return wrong(f"The run {run.outcome.status}: {run.outcome.reason}.")
    if not attempts:
        return not_yet("No update was recorded.")
    if len(run.attempts) != 3 or len(attempts) != 3:
        return wrong(_too_few(run, attempts))
    return _judge_attempts(attempts, folder)


def _too_few(run: Run, attempts: list[list[int]]) -> str:
    """Why the program was not killed twice, as far as its records show."""
    seen = f"The program was started {_times(run)}, but should be killed twice"
    for number, (begun, kill) in enumerate(zip(attempts, _KILLS, strict=False), 1):
        if kill in begun:
            return f"{seen}: attempt {number} had its {kill} updates and continued. Keep `KILLS`."
        if begun[-1] < kill - 1:
            return (
                f"{seen}. By the optimizer's count, attempt {number} began after {begun[0]} updates"
                f" and ended with {begun[-1] + 1}: it did not reach the {kill} at which it is"
                " killed."
            )
    return f"{seen}."


def _judge_attempts(attempts: list[list[int]], folder: Path) -> Verdict:
    begins = [numbers[0] for numbers in attempts]
    final = attempts[-1][-1] + 1
    files = [path.name for path in sorted(folder.rglob("*")) if path.is_file()]
    kept = [name for name in files if name.endswith((".h5", ".keras", ".index"))]
    if begins == [0, 0, 0]:
        return _from_the_beginning(folder, kept)
    seen = f"The attempts began after {begins[0]}, {begins[1]} and {begins[2]} updates"
    if len(attempts[-1]) == PLANNED:
        return wrong(
            f"{seen}: the weights came back. But the final model has had {final} updates, not"
            f" {PLANNED}: the last attempt counted its epochs from 0, and trained all of them."
        )
    if final > PLANNED:
        return wrong(
            f"{seen}, and the final model has had {final}, not {PLANNED}: the last attempt"
            f" made {len(attempts[-1])}."
        )
    if begins[0] or not 0 < begins[1] <= begins[2] or final < PLANNED:
        return wrong(f"{seen}, and the final model has had {final}, not {PLANNED}.")
    if other := _with_other_weights(folder / "survivor-0.totals"):
        return wrong(
            f"{seen}, by the optimizer's count. But attempt {other} began with weights that differ"
            " from those of the previous attempt after the same number of updates."
        )
    return right(f"{seen}, and the final model has had {final}, as if nothing had been killed.")


def _from_the_beginning(folder: Path, kept: list[str]) -> Verdict:
    made = "All three attempts began with the first update"
    if not kept:
        return not_yet(f"{made}.")
    places = {path.relative_to(folder).parts[0] for path in folder.rglob("*") if path.is_file()}
    backups = sorted(name for name in places if (folder / name).is_dir())
    if len(backups) > 1:
        return wrong(
            f"{made}, and {' and '.join(backups)} still hold backups. An attempt finds a backup"
            " only in the directory that it reads."
        )
    return wrong(
        f"{made}, by the optimizer's count, although {kept[0]} exists: no attempt read it, or"
        " it does not contain the count."
    )


def _attempts(path: Path) -> list[list[int]]:
    """For each attempt, how many updates came before each of its own; empty if unreadable."""
    found: dict[int, list[int]] = {}
    try:
        for line in path.read_text().splitlines():
            attempt, before, *_ = map(int, line.split())
            found.setdefault(attempt, []).append(before)
    except (OSError, ValueError):
        return []
    return [found[attempt] for attempt in sorted(found)]


def _with_other_weights(path: Path) -> int:
    """The first attempt whose weights differ from those recorded at the same count; 0 if none."""
    before: dict[int, float] = {}
    attempts: set[int] = set()
    try:
        for line in path.read_text().splitlines():
            words = line.split()
            attempt, count, total = int(words[0]), int(words[1]), float(words[2])
            begins = attempt not in attempts
            if begins and not math.isclose(total, before.get(count, total), rel_tol=_EQUAL):
                return attempt
            attempts.add(attempt)
            before[count] = total
    except (OSError, ValueError, IndexError):
        return 0
    return 0


def _times(run: Run) -> str:
    number = len(run.attempts)
    return {1: "once", 2: "twice"}.get(number, f"{number} times")

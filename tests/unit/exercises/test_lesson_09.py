"""The verdicts of lesson 09 on rows and records that its sabotages do not have."""

from __future__ import annotations

import random
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exercises.catalogue import find
from mwtutor.exercises.exercise import Verdict

READ = find("09-1")
SURVIVOR = find("09-2")
W0, W1 = TaskId("worker", 0), TaskId("worker", 1)


def passes() -> list[list[int]]:
    """The rows of 120 updates: two passes, each in its own order."""
    shuffled = random.Random(1)
    rows = [row for _ in range(2) for row in shuffled.sample(range(480), 480)]
    return [rows[at : at + 8] for at in range(0, len(rows), 8)]


def read(whole: Any, before: Any, after: Any, elsewhere: Any = None) -> Verdict:
    """The verdict on these rows, split between two workers."""
    parts = {"whole": whole, "before": before, "after": after}
    session: dict[TaskId, Any] = {
        task: {name: [step[index::2] for step in steps] for name, steps in parts.items()}
        for index, task in enumerate((W0, W1))
    }
    asked = elsewhere or {updates: whole[updates : updates + 2] for updates in (7, 75)}
    for index, found in enumerate(session.values()):
        found["elsewhere"] = {at: [step[index::2] for step in two] for at, two in asked.items()}
    return READ.check(SimpleNamespace(session={READ.session[0]: session}))


def test_what_was_left_out_once_is_right():
    steps = passes()
    assert read(steps, steps[:40], steps[40:]).status == "right"


def test_what_is_left_out_is_not_always_the_same():
    steps = passes()
    after_40 = dict.fromkeys((7, 75), steps[40:42])
    assert "After 7 it would not" in read(steps, steps[:40], steps[40:], after_40).words


def test_batches_that_are_shuffled_instead_of_rows():
    order = random.Random(1).sample(range(60), 60)
    steps = [list(range(8 * at, 8 * at + 8)) for at in [*order, *order[::-1]]]
    assert "only batches are shuffled" in read(steps, steps[:40], steps[40:]).words


def test_rows_that_are_none_of_the_data_are_no_rows():
    steps = [[row + 1 for row in step] for step in passes()]
    assert "rows 0 to 479" in read(steps, steps[:40], steps[40:]).words


def test_each_worker_with_a_batch_of_its_own_is_too_much():
    steps = [step * 2 for step in passes()]
    assert "did not take 8 rows" in read(steps, steps[:40], steps[40:]).words


def test_data_that_repeat_rows_without_a_fault_are_not_blamed_on_it():
    steps = passes()
    steps[100] = steps[99]
    assert "Even without a fault" in read(steps, steps[:40], steps[40:]).words


def test_rows_from_nowhere_are_told():
    steps = passes()
    other = [sorted(range(start, 480, 60)) for start in range(60)]
    words = read(steps, steps[:40], [*other, *other[:20]]).words
    assert "is not one of the first attempt's" in words
    assert "whichever worker" not in words
    assert "whichever worker" in read(steps, steps[:40], [*steps, *steps][20:100]).words


def test_one_worker_is_not_enough():
    parts = {"whole": passes(), "before": passes()[:40], "after": passes()[40:]}
    work = SimpleNamespace(session={READ.session[0]: {W0: parts}})
    assert READ.check(work).status == "not yet"


def survived(folder: Path, *attempts: range, number: int = 3, ok: bool = True) -> Verdict:
    """The verdict on a run whose attempts had these updates."""
    (folder / "survivor").mkdir(exist_ok=True)
    lines = [f"{at} {before} 0 1" for at, one in enumerate(attempts, 1) for before in one]
    (folder / "survivor" / "survivor-0.notes").write_text("\n".join(lines))
    outcome = SimpleNamespace(ok=ok, status="failed", reason="it was killed")
    run = SimpleNamespace(outcome=outcome, attempts=(None,) * number)
    return SURVIVOR.check(SimpleNamespace(folder=folder, run=lambda name: run))


def test_a_program_that_nobody_kills_has_not_survived(tmp_path):
    assert "The program was started once" in survived(tmp_path, range(120), number=1).words


def test_why_it_was_not_killed_is_said_only_if_it_shows(tmp_path):
    words = survived(tmp_path, range(120), number=1).words
    assert "attempt 1 had its 50 updates and continued. Keep `KILLS`" in words
    words = survived(tmp_path, range(50), range(80), number=2).words
    assert "attempt 2 began after 0 updates and ended with 80" in words
    assert "KILLS" not in words


def test_weights_that_were_read_without_the_count(tmp_path):
    survived(tmp_path, range(50), range(90), range(120))
    (tmp_path / "survivor" / "last.weights.h5").touch()
    words = survived(tmp_path, range(50), range(90), range(120)).words
    assert "or it does not contain the count" in words


def test_a_run_that_failed_has_not_survived(tmp_path):
    assert "it was killed" in survived(tmp_path, range(50), number=1, ok=False).words


def test_every_way_back_to_each_update_once_is_right(tmp_path):
    assert survived(tmp_path, range(50), range(40, 90), range(80, 120)).status == "right"
    assert survived(tmp_path, range(50), range(30, 90), range(90, 120)).status == "right"


def test_a_count_that_comes_back_without_its_weights_is_not_right(tmp_path):
    def after(second: float) -> Verdict:
        (tmp_path / "survivor").mkdir(exist_ok=True)
        totals = [*((1, at, 100.0 + at) for at in range(50)), (2, 40, second), (2, 41, 141.0)]
        lines = [" ".join(map(str, one)) for one in totals]
        (tmp_path / "survivor" / "survivor-0.totals").write_text("\n".join(lines))
        return survived(tmp_path, range(50), range(40, 90), range(80, 120))

    assert after(140.0001).status == "right"
    verdict = after(97.0)
    assert verdict.status == "wrong"
    assert "attempt 2 began with weights that differ" in verdict.words


def test_updates_that_are_missing_are_not_right(tmp_path):
    verdict = survived(tmp_path, range(50), range(40, 90), range(80, 100))
    assert (verdict.status, "100, not 120" in verdict.words) == ("wrong", True)


@pytest.mark.parametrize("text", ["", "one two", "1 2\n\x00", "1"])
def test_a_record_that_is_none_is_not_judged(tmp_path, text):
    survived(tmp_path, range(50), range(40, 90), range(80, 120))
    (tmp_path / "survivor" / "survivor-0.notes").write_text(text)
    outcome = SimpleNamespace(ok=True)
    run = SimpleNamespace(outcome=outcome, attempts=(None,) * 3)
    work = SimpleNamespace(folder=tmp_path, run=lambda name: run)
    assert SURVIVOR.check(work).status == "not yet"

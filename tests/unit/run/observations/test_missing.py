"""Whose exchange is missing, from ledgers as tasks write them; innocent tasks are not blamed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.exchanges import Drawn
from mwtutor.run.observations import ledgers
from mwtutor.run.observations.exchanges import Exchanges, waiting_tasks
from mwtutor.run.observations.ledgers import read
from mwtutor.run.observations.missing import verdict, why_unknown
from mwtutor.run.observations.steps import StepTime, StepTimes
from mwtutor.worker import ledger
from mwtutor.worker.ledger import HEAD, ROW, Ledger, Operation, Place

NOW = 1000.0


@pytest.fixture
def exchanges(tmp_path):
    """The exchanges of workers, each given as its lines: a line ends with ``?`` if it has not
    ended, and ``8x3`` is one of three numbers."""

    def make(*workers, ended=(), silent=True, looked=0.0, branches=()):
        ledgers = {}
        for index, lines in enumerate(workers):
            log = tmp_path / f"worker-{index}.log"
            made = Ledger(log, 1)
            for key, written in enumerate(lines.split()):
                line, _, width = written.rstrip("?").partition("x")
                shape = (int(width or 1),)
                kind = "all-gather" if line == "99" else "all-reduce"
                number = made.operation(Operation(kind, "float32", shape, "CPU:0", 2))
                inside = dict(branches).get(int(line), ())
                made.asked(1, key, Place("off.py", int(line), "<module>", branches=inside))
                made.begins(number, 1, key, 4 * shape[0], NOW - 100 + key + 0.1 * index)
                if not written.endswith("?"):
                    made.ends(number, 1, key, NOW - 99.5 + key)
            made.looked(looked)
            ledgers[TaskId("worker", index)] = read(log)
        gone = {TaskId("worker", index): how for index, how in ended}
        return Exchanges(ledgers, NOW, gone, silent)

    return make


def kind(found):
    return found and (found.kind, tuple(map(str, found.tasks)))


@pytest.mark.parametrize(
    ("workers", "found"),
    [
        # One worker leaves out line 9, so the other ends in one exchange too many.
        (["8 9 8 9 8 9?", "8 9 8 8 9"], ("missing", ("worker:1",))),
        (["8 9 8 8 9", "8 9 8 9 8 9?"], ("missing", ("worker:0",))),
        (["8 9 8 9 7 7", "8 9 8 9 7 7", "8 8 9 7 7"], ("missing", ("worker:2",))),
        (["1 2 3 4 5 6", "1 2 5 6"], ("missing", ("worker:1",))),
        # The fault is seen while both continue.
        (["1 2 3 4 5 6 7", "1 2 4 5 6 7 8"], ("missing", ("worker:1",))),
        # In a loop, it may be either of two workers; of three, it is the one that differs.
        (["8 9 8 9 8 9", "8 8 9 8 9 8"], ("missing", ())),
        (["8 9 8 9 8 9", "8 8 9 8 9 8", "8 9 8 9 8 9"], ("missing", ("worker:1",))),
        # Two lines are swapped: in each step, in one step, in distant steps; on one of three
        # workers.
        (["8 9 7 8 9 7", "8 7 9 8 7 9"], ("order", ())),
        (["8 7 9 8 7 9 8 7 9", "8 7 9 7 8 9 8 7 9"], ("order", ())),
        (["5 8 5 9 5 8", "5 9 5 8 5 8"], ("order", ())),
        (["7 8 9 7 8 9", "7 8 9 7 8 9", "7 9 8 7 9 8"], ("order", ("worker:2",))),
        # The first point where they diverge counts, whatever followed from that.
        (["8 7 9 8 7x3 9?", "7 8 9 8 7x2 9?"], ("order", ())),
        (["8x3 7 9 8 7 9", "8x2 7 9 7 8 9"], ("different", ("worker:0", "worker:1"))),
        (["8x3 7", "7x2 8"], ("different", ("worker:0", "worker:1"))),
        (["8 7 9 6 8 7 9 8 7 9 8 7 9", "8 9 6 8 9 8 7 9 8 7 9 8"], ("missing", ("worker:1",))),
        # For one line, only counts are known.
        (["8 8 8?", "8 8"], ("awaited", ("worker:1",))),
        (["8 8 8? ", "8 8 8?", "8 8"], ("awaited", ("worker:2",))),
        (["8 8?", ""], ("awaited", ("worker:1",))),
        (["8 8?", "8 8?"], ("stuck", ())),
        (["8 8x3", "8 8x2"], ("different", ("worker:0", "worker:1"))),
        (["8 8", "8 99"], ("different", ("worker:0", "worker:1"))),
        # Nothing is wrong.
        (["8 9 8 9", "8 9 8 9"], None),
        (["8 9 8 9", "8 7 8 7"], None),  # the same from another line
        (["8 8 8 8 8 8", "7 7 7 8 8 8"], None),  # the same, at first
        (["8 8 8", "8 8"], None),  # nobody waits
        (["5 6?", "6 7?"], ("stuck", ())),  # as the chief does from its own lines
        ([""], None),
        (["8 8"], None),
    ],
)
def test_verdicts(exchanges, workers, found):
    assert kind(verdict(exchanges(*workers))) == found


def test_the_words_name_worker_and_line(exchanges):
    found = verdict(exchanges("8 9 8 9 8 9?", "8 9 8 8 9"))
    assert found.words == (
        "worker:0 made an exchange that worker:1 did not: number 4, an all-reduce of float32[1] at"
        " off.py, line 9. Since then, exchanges that do not belong together have been paired:"
        " off.py, line 9 of"
        " worker:0 with off.py, line 8 of worker:1. off.py, line 9 was reached 3 times by worker:0"
        " and twice by worker:1."
    )
    found = verdict(exchanges("8 8 8?", "8 8", ended=[(1, "succeeded")]))
    assert found.words.startswith("worker:0 has been waiting since ")
    assert found.words.endswith(
        " for worker:1, which made 2 exchanges and succeeded, in exchange 3 (all-reduce of"
        " float32[1] at off.py, line 8). off.py, line 8 was reached 3 times by worker:0 and twice"
        " by worker:1."
    )
    found = verdict(exchanges("8 8 8?", "8 8", ended=[(0, "stopped"), (1, "succeeded")]))
    assert found.words.startswith("worker:0 had been waiting since ")


def test_lines_that_take_turns_are_reported_with_a_condition_and_nobody_is_accused(exchanges):
    """Sums of different lines may be intended, so the verdict is conditional, even during a run."""
    turns = "8 7 8 7 8 7", "7 8 7 8 7 8"
    condition = "Unless both lines exchange the same data, this mixes their values."
    going = verdict(exchanges(*turns, silent=False))
    assert (going.words, going.tasks) == (
        "worker:0 and worker:1 are out of step since exchange 1: off.py, line 8 of worker:0 meets"
        f" off.py, line 7 of worker:1. {condition}",
        (),
    )
    ended = [(0, "succeeded"), (1, "succeeded")]
    over = verdict(exchanges(*turns, ended=ended, silent=False))
    assert (over.words, over.tasks) == (
        "worker:0 and worker:1 execute the same lines in different orders, first at exchange 1:"
        f" off.py, line 8 of worker:0 meets off.py, line 7 of worker:1. {condition}",
        (),
    )


def test_what_follows_from_the_first_difference_is_said_as_well(exchanges):
    first = (
        "worker:0 and worker:1 execute the same lines in different orders, first at exchange 1:"
        " off.py, line 8 of worker:0 meets off.py, line 7 of worker:1. Unless both lines exchange"
        " the same data, this mixes their values."
    )
    ended = [(0, "succeeded"), (1, "succeeded")]
    assert verdict(exchanges("8 7 8 7", "7 8 7 8", ended=ended, silent=False)).words == first
    assert verdict(exchanges("8 7 9 5x3", "7 8 9 5x2")).words == (
        f"{first} In exchange 4, worker:0 gives float32[3] to an all-reduce at off.py, line 5, and"
        " worker:1 float32[2] to an all-reduce at off.py, line 5: both must call the same"
        " operation, with the same type and shape."
    )
    waits = verdict(exchanges("8 7 9 9?", "7 8 9", ended=[(1, "succeeded")])).words
    assert waits.startswith(f"{first} worker:0 has been waiting since ")
    assert "for worker:1, which made 3 exchanges and succeeded, in exchange 4 (" in waits


@pytest.mark.parametrize(
    ("workers", "said"),
    [
        (["1 2 3 4 5 6", "1 2 5 6"], "made 2 exchanges that worker:1 did not: number 3,"),
        # Each worker has made an exchange that the other has not, and both have made the same
        # number.
        (["5 5 5 7 5 5 5 5 5", "5 5 5 5 5 5 5 9 5"],
         "made an exchange that worker:1 did not: number 4,"),
    ],
)  # fmt: skip
def test_exchanges_that_both_made_do_not_count(exchanges, workers, said):
    assert verdict(exchanges(*workers)).words.startswith(f"worker:0 {said}")


def test_a_run_that_goes_on_is_not_told_to_wait(exchanges):
    assert verdict(exchanges("8 8 8?", "8 8", silent=False)) is None


def test_who_is_ahead_in_what_is_repeated_is_not_accused(tmp_path):
    """In a graph's loop, and in a session, each execution has the same keys."""

    def repeated(index, times, unended=0):
        log = tmp_path / f"worker-{index}.log"
        made = Ledger(log, 1)
        numbers = [
            made.operation(Operation("all-reduce", "float32", (1,), "CPU:0", 2, "off.py", line))
            for line in (3, 4, 5)
        ]
        for at in range(times):
            for key, number in enumerate(numbers):
                made.begins(number, 1, key, 4, NOW - 100 + at + 0.1 * key)
                if at < times - unended:
                    made.ends(number, 1, key, NOW - 99.95 + at + 0.1 * key)
        return read(log)

    first, second = TaskId("worker", 0), TaskId("worker", 1)
    ahead = Exchanges({first: repeated(0, 9), second: repeated(1, 7)}, NOW)
    assert verdict(ahead) is None
    count, waited = waiting_tasks(ahead.ledgers)
    assert count == 21
    assert [one.seconds for one in waited.values()] == [0, 0]
    hangs = Exchanges({first: repeated(0, 9, 1), second: repeated(1, 8)}, NOW, silent=True)
    found = verdict(hangs)
    assert kind(found) == ("awaited", ("worker:1",))
    assert "in exchange 25 (all-reduce of float32[1] at off.py, line 3)" in found.words


@pytest.fixture
def ranks(tmp_path):
    """Ranks of Horovod, each given as what it exchanges: ``7`` has the name 7 at line 7, and
    ``7.8`` at line 8."""

    def make(*ranks, group=ledger.HOROVOD_IN_GRAPH, kind="all-reduce", shapes=((1,), (1,))):
        found = {}
        for index, (names, shape) in enumerate(zip(ranks, shapes, strict=True)):
            log = tmp_path / f"worker-{index}.log"
            made = Ledger(log, 1)
            for at, written in enumerate(names.split()):
                name, _, line = written.rstrip("?").partition(".")
                key = int(name)
                what = Operation(kind, "float32", shape, "Horovod", 2, "off.py", int(line or key))
                number = made.operation(what)
                made.begins(number, group, key, 4 * shape[0], NOW - 100 + at)
                if not written.endswith("?"):
                    made.ends(number, group, key, NOW - 99.5 + at)
            found[TaskId("worker", index)] = read(log)
        return Exchanges(found, NOW, {}, any("?" in names for names in ranks))

    return make


def test_of_horovod_what_meets_by_name_may_come_in_any_order(ranks):
    assert verdict(ranks("7 8 9 7 8 9 7 8 9", "9 8 7 8 9 7 7 9 8")) is None
    assert verdict(ranks("1 2 3 4 5 6 7", "1 2 4 5 6 7 8")) is None  # both continue
    assert verdict(ranks("7.1 7.2 7.1 7.2", "7.2 7.1 7.2 7.1")) is None  # one name, from a function
    found = verdict(ranks("7 8? 9 7? 9?", "9 7 9?"))
    assert kind(found) == ("awaited", ("worker:1",))
    assert found.words.endswith(
        "for worker:1, which waits in another exchange, an all-reduce of float32[1] at off.py, line"
        " 9, in"
        " exchange 4 (all-reduce of float32[1] at off.py, line 7). off.py, line 7 was reached twice"
        " by worker:0 and once by worker:1."
    )


def test_of_horovod_what_is_executed_at_once_meets_by_counting(ranks):
    at_once = ledger.HOROVOD_AT_ONCE
    found = verdict(ranks("1.7 1.8 1.9 1.7 1.8 1.9", "1.7 1.9 1.8 1.7 1.9 1.8", group=at_once))
    assert kind(found) == ("order", ())
    assert verdict(ranks("1.7 1.8 1.9 1.7 1.8", "1.7 1.8 1.9 1.7", group=at_once)) is None
    assert verdict(ranks("1 1 2 3 3 3", "1 1 3 3 3", group=at_once)) is None


def test_of_horovod_rows_may_be_unequal(ranks):
    unequal = {"shapes": ((3,), (2,)), "group": ledger.HOROVOD_AT_ONCE}
    assert verdict(ranks("7 7", "7 7", kind="all-gather", **unequal)) is None
    found = verdict(ranks("7 7", "7 7", kind="all-reduce", **unequal))
    assert kind(found) == ("different", ("worker:0", "worker:1"))


def test_nobody_is_awaited_whose_failure_is_known(exchanges):
    assert verdict(exchanges("8 8 8?", "8 8", ended=[(1, "failed")])) is None


def test_groups_of_a_tasks_own_devices_are_not_compared(tmp_path):
    """For example the groups of a MirroredStrategy, which each worker creates for itself."""
    logs = {TaskId("worker", index): tmp_path / f"worker-{index}.log" for index in range(2)}
    for (task, log), lines in zip(logs.items(), ((8, 9, 8), (7, 7)), strict=True):
        made = Ledger(log, 1)
        for key, line in enumerate(lines):
            for device in ("CPU:0", "CPU:1"):
                number = made.operation(Operation("all-reduce", "float32", (1,), device, 2))
                made.asked(1, key, Place("off.py", line, "<module>"))
                made.begins(number, 1, key, 4, NOW - 100 + key + task.index)
                if key < 2:
                    made.ends(number, 1, key, NOW - 99 + key + task.index)
    found = ledgers.read_all(logs, 100)
    assert [one.made for one in found.values()] == [6, 4]
    assert verdict(Exchanges(found, NOW, silent=True)) is None
    assert waiting_tasks(found)[0] == 0


def test_who_may_belong_to_no_group_of_some_workers_is_not_accused(tmp_path):
    logs = {TaskId("worker", index): tmp_path / f"worker-{index}.log" for index in range(3)}
    for task, log in logs.items():
        made = Ledger(log, 1)
        for group, size in ((1, 3), (77, 2)):
            if group == 1 or task.index == 0:
                number = made.operation(Operation("all-reduce", "float32", (1,), "CPU:0", size))
                made.asked(group, 5, Place("off.py", group, "<module>"))
                made.begins(number, group, 5, 4, NOW - 100 + group)
                if group == 1:
                    made.ends(number, group, 5, NOW - 98)
    found = ledgers.read_all(logs, 100)
    assert verdict(Exchanges(found, NOW, silent=True)) is None
    assert waiting_tasks(found)[0] == 1


@pytest.mark.parametrize(
    "workers", [("8 9 8 9 8 9", "9 8 9 8 9 8"), ("8 9 9 8 9 9", "9 8 9 9 8 9", "9 9 8 9 9 8")]
)
def test_workers_that_take_turns_in_the_branches_of_an_if_are_not_accused(exchanges, workers):
    """As in ``if step % 3 == me:``; elsewhere, the same records are questionable."""
    turns = {8: ((7, True),), 9: ((7, False),)}
    assert verdict(exchanges(*workers, branches=turns.items())) is None
    assert verdict(exchanges(*workers, branches={**turns, 9: ((6, False),)}.items())) is not None


def test_an_exchange_that_is_left_out_in_a_branch_is_missing(exchanges):
    turns = {8: ((7, True),), 9: ((7, False),)}.items()
    found = verdict(exchanges("8 1 2 9 1 2 8 1 2?", "9 1 2 1 2 9 1 2", branches=turns))
    assert kind(found) == ("missing", ("worker:1",))


def test_an_exchange_whose_last_task_has_just_come_is_not_stuck(exchanges):
    content = exchanges("8?", "8?")  # begun 0.1 s after each other
    assert verdict(content).kind == "stuck"
    assert verdict(replace(content, now=NOW - 97.5)).kind == "stuck"
    first, second = content.ledgers.values()
    late = replace(second.exchanges[0], begun=NOW - 98)
    ledgers = dict(zip(content.ledgers, (first, replace(second, exchanges=(late,))), strict=True))
    assert verdict(replace(content, ledgers=ledgers, now=NOW - 97.5)) is None


def test_who_may_have_come_since_its_ledger_was_written_is_not_awaited(exchanges):
    assert verdict(exchanges("8 8 8?", "8 8", looked=NOW - 200)) is None
    assert kind(verdict(exchanges("8 8 8?", "8 8", looked=NOW - 1))) == ("awaited", ("worker:1",))


def test_who_ended_before_its_last_exchanges_were_recorded_is_not_accused(exchanges):
    """By ``os._exit(0)``."""
    left = exchanges("8 8 8 8 8?", "8", ended=[(1, "succeeded")], looked=NOW - 200)
    assert verdict(left) is None
    assert why_unknown(left).startswith(
        "The last exchanges of worker:1 may not have been recorded:"
    )
    ended = [(0, "succeeded"), (1, "succeeded")]
    over = exchanges("7 7 8 7 8", "8 7 8", ended=ended, silent=False, looked=NOW - 200)
    assert (verdict(over), why_unknown(over)) == (None, "")


def test_what_a_killed_worker_did_last_is_not_counted(exchanges):
    workers = "1 2 3 4 5 6 7", "1 2 4 5 6 7 8"
    assert "was reached once by worker:0 and never by" in verdict(exchanges(*workers)).words
    killed = verdict(exchanges(*workers, ended=[(1, "failed")], looked=NOW - 200))
    assert kind(killed) == ("missing", ("worker:1",))
    assert "was reached" not in killed.words


def test_who_was_stopped_in_an_exchange_before_it_was_noted_is_not_awaited(exchanges):
    """By SIGSTOP, which also stops the writing; at the end of the run, the worker was killed."""
    stopped = exchanges("8 8 8?", "8 8", ended=[(1, "stopped")], looked=NOW - 99)
    assert verdict(stopped) is None
    known = exchanges("8 8 8?", "8 8", ended=[(1, "stopped")], looked=NOW - 90)
    assert kind(verdict(known)) == ("awaited", ("worker:1",))


def test_where_something_is_not_recorded_nobody_is_accused_and_it_is_said(exchanges, tmp_path):
    content = exchanges("8 9 8 9 8 9?", "8 9 8 8 9")
    assert kind(verdict(content)) == ("missing", ("worker:1",))
    assert why_unknown(content) == ""
    first, second = content.ledgers
    content.ledgers[first] = replace(content.ledgers[first], unrecorded=("XLA",))
    content.ledgers[second] = replace(content.ledgers[second], unrecorded=("DTensor", "XLA"))
    assert verdict(content) is None
    assert why_unknown(content) == (
        "The program may exchange data through XLA and DTensor, which is not recorded: whose"
        " exchange is missing cannot be determined."
    )


def test_a_ledger_that_was_cut_accuses_nobody(exchanges, tmp_path):
    content = exchanges("8 8 8 8?", "8 8 8 8?")
    log = tmp_path / "worker-1.log"
    data = ledger.file(log).read_bytes()
    ledger.file(log).write_bytes(data[: HEAD.size + 2 * ROW.size + 5])
    content.ledgers[TaskId("worker", 1)] = read(log)
    assert verdict(content) is None
    assert why_unknown(content) == (
        "The record of worker:1 is incomplete: whose exchange is missing cannot be determined."
    )


def test_with_a_task_that_has_no_ledger_it_is_not_said_that_all_have_come(exchanges):
    content = exchanges("8 8?", "8 8?")
    assert kind(verdict(content)) == ("stuck", ())
    less = replace(content, without=[TaskId("worker", 2)])
    assert verdict(less) is None
    assert why_unknown(less).startswith("worker:2 has no record of exchanges: whose exchange is")
    assert why_unknown(replace(less, ledgers={})) == ""  # with --no-ledger


def test_an_incomplete_ledger_accuses_nobody(exchanges, tmp_path):
    content = exchanges("8 8 8?", "8 8")
    made = Ledger(tmp_path / "worker-1.log", 1)
    made._give_up()
    content.ledgers[TaskId("worker", 1)] = read(tmp_path / "worker-1.log")
    assert verdict(content) is None


def test_of_many_workers_and_exchanges_the_newest_are_enough(tmp_path, monkeypatch):
    """One of 64 workers leaves out one exchange of 600; as many as fit the limit are read."""
    monkeypatch.setattr(ledger, "ROWS", 256)
    monkeypatch.setattr(ledgers, "_MOST_ROWS", 64 * 100)
    logs = {TaskId("worker", index): tmp_path / f"worker-{index}.log" for index in range(64)}
    for task, log in logs.items():
        made = Ledger(log, 1)
        number = made.operation(Operation("all-reduce", "float32", (1,), "CPU:0", 64))
        lines = (8 + at % 3 for at in range(600) if at != 540 or task.index != 40)
        for key, line in enumerate(lines):
            made.asked(1, key, Place("off.py", line, "<module>"))
            made.begins(number, 1, key, 4, NOW + key)
            made.ends(number, 1, key, NOW + key + 0.5)
        assert ledger.file(log).stat().st_size == HEAD.size + 256 * ROW.size
    content = Exchanges(ledgers.read_all(logs, 256))
    assert {len(one.exchanges) for one in content.ledgers.values()} == {100}
    found = verdict(content)
    assert kind(found) == ("missing", ("worker:40",))
    assert found.words == (
        "worker:40 is out of step since exchange 541: off.py, line 8 of worker:0 meets off.py, line"
        " 9 of worker:40. off.py, line 8 was reached 199 times by worker:40 and 200 times by 63"
        " others."
    )
    shown = repr(Drawn("large", content))
    assert "599 to 600 exchanges recorded per worker · only the newest 100 were read" in shown
    assert "64 tasks" in shown


def test_who_is_ahead_by_one_where_the_newest_of_several_keys_are_kept_is_not_accused(
    tmp_path, monkeypatch
):
    """A graph's loop repeats its keys, and the kept rows of the tasks begin at different points."""
    monkeypatch.setattr(ledger, "ROWS", 20)
    found = {}
    for index, count in enumerate((60, 61, 62)):
        log = tmp_path / f"worker-{index}.log"
        made = Ledger(log, 1)
        numbers = [
            made.operation(Operation("all-reduce", "float32", (1,), "CPU:0", 3, "off.py", line))
            for line in (3, 4, 5)
        ]
        for at in range(count):
            made.begins(numbers[at % 3], 1, 100 + at % 3, 4, NOW + at)
            made.ends(numbers[at % 3], 1, 100 + at % 3, NOW + at + 0.5)
        found[TaskId("worker", index)] = read(log)
    assert verdict(Exchanges(found, NOW + 100)) is None


def test_a_row_shows_what_each_worker_gives_and_of_the_past_only_what_is_recorded(exchanges):
    shown = repr(Drawn("demo", exchanges("8x3", "99x2?"), last=1))
    assert "all-reduce of float32[3] / all-gather of float32[2]" in shown
    assert "off.py, line 8 / off.py, line 99" in shown
    assert "begun, 1 min 39 s ago" in shown
    assert "demo · 1 exchange recorded per worker" in shown
    ended = [(0, "failed"), (1, "stopped")]
    assert "begun, no end recorded" in repr(
        Drawn("demo", exchanges("8", "8?", ended=ended), last=1)
    )


def test_what_was_lost_with_a_killed_worker_is_not_shown_as_never_begun(exchanges):
    shown = repr(Drawn("demo", exchanges("8 8 8?", "8", ended=[(1, "failed")], looked=NOW - 200)))
    assert {"  worker:0   ■■□", "  worker:1   ■??"} <= set(shown.splitlines())
    lost = exchanges("8 8 8?", "8", ended=[(1, "failed")], looked=NOW - 97)
    assert "  worker:1   ■?·" in repr(Drawn("demo", lost))
    rows = repr(Drawn("demo", lost, last=2)).splitlines()[2:4]
    assert [row.split("  ")[-1].strip() for row in rows] == ["not recorded", "never begun"]


def test_the_head_counts_what_is_recorded_not_what_was_exchanged(exchanges):
    """A killed worker's last records are lost, so it ended exchanges for which it has no row."""
    lost = Drawn("demo", exchanges("8 8 8?", "", ended=[(1, "failed")], looked=NOW - 200))
    assert "  worker:1   ???" in repr(lost)
    for shown in (repr(lost), lost._repr_html_()):
        assert "demo · 0 to 3 exchanges recorded per worker" in shown
    assert "The last recorded exchanges of each task" in lost._repr_html_()


def test_of_an_exchange_that_failed_at_once_no_waiting_is_reported(exchanges):
    content = exchanges("8 8?", "8", ended=[(1, "succeeded")])
    first = next(iter(content.ledgers))
    *_, last = (one := content.ledgers[first]).exchanges

    def words(after):
        broken = replace(last, ended=last.begun + after, broken=True)
        ledgers = {**content.ledgers, first: replace(one, exchanges=(*one.exchanges[:-1], broken))}
        return verdict(replace(content, ledgers=ledgers)).words

    ended = "worker:1, which made 1 exchange and succeeded,"
    assert words(0.2).startswith(f"worker:0 did not meet {ended}")
    assert words(4.2).startswith(f"worker:0 waited 4 s for {ended}")


def test_who_waited_for_whom(exchanges):
    count, found = waiting_tasks(exchanges("8 8 8", "8 8 8").ledgers)
    first, second = found.values()
    assert count == 3
    assert (first.seconds, first.last) == (pytest.approx(0.3), 0)
    assert (second.seconds, second.last, second.caused) == (0, 3, pytest.approx(0.3))


def test_how_much_of_the_steps_is_transfer(exchanges):
    content = exchanges("8 8 8", "8 8 8")
    typical = "An exchange typically took 400 ms from the last arrival to its end"
    assert f"{typical}." in repr(Drawn("demo", content))
    steps = tuple(StepTime(n, NOW - 100 + n, 0.0, 0.0, 0.0, 0.0, 1.0) for n in range(4))
    times = StepTimes({TaskId("worker", 0): steps}, together=False, taken=4)
    shown = repr(Drawn("demo", content, times=times))
    assert f"{typical}: 40% of the time of the steps." in shown
    none = StepTimes({}, together=False, taken=0)
    assert f"{typical}." in repr(Drawn("demo", content, times=none))

"""A task's records of its exchanges: written by the task, read by readers of its run."""

from __future__ import annotations

import contextlib
import gc
import json
import os
import resource
import threading
import time
from dataclasses import replace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.run.observations.ledgers import Line, read, read_all
from mwtutor.system.linux import FDS
from mwtutor.worker import ledger
from mwtutor.worker.ledger import HEAD, ROW, ROWS, Ledger, Operation, Place
from mwtutor.worker.patches.sessions import noting_errors

REDUCE = Operation("all-reduce", "float32", (3,), "CPU:0", 2, "main.py", 7, "step")


@pytest.fixture
def log(tmp_path):
    return tmp_path / "worker-0.log"


def make(log, count, *, line=12, attempt=1):
    made = Ledger(log, attempt)
    number = made.operation(REDUCE)
    for key in range(count):
        made.asked(1, key, Place("main.py", line, "<module>", branches=((7, True),)))
        made.begins(number, 1, key, 12, 1000.0 + key)
        made.ends(number, 1, key, 1000.5 + key)
    return made, number


def test_what_is_written_is_read(log):
    make(log, 3, attempt=2)
    found = read(log)
    assert (found.attempt, found.made, found.whole) == (2, 3, True)
    last = found.exchanges[-1]
    assert (last.number, last.group, last.key, last.execution) == (3, 1, 2, 1)
    assert (last.kind, last.what, last.size) == ("all-reduce", "float32[3]", 12)
    assert last.line == Line("main.py", 12, "<module>")
    assert last.line.branches == ((7, True),)
    assert last.built == Line("main.py", 7, "step")
    assert (last.times, last.total) == (3, 36)
    assert (last.begun, last.ended, last.done) == (1002.0, 1002.5, True)


def test_one_that_has_not_ended_and_one_that_an_error_ended(log):
    made, number = make(log, 1)
    made.begins(number, 1, 5, 12, 2000.0)
    assert [one.done for one in read(log).exchanges] == [True, False]
    assert read(log).exchanges[-1].ended == 0
    made.breaks_off()
    last = read(log).exchanges[-1]
    assert (last.broken, last.done) == (True, False)
    assert abs(last.ended - time.time()) < 60


def test_the_same_key_in_a_loop_of_a_graph_is_told_apart(log):
    made, number = make(log, 0)
    for at in range(3):
        made.begins(number, 1, 100, 12, 1000.0 + at)
        made.ends(number, 1, 100, 1000.5 + at)
    assert [one.execution for one in read(log).exchanges] == [1, 2, 3]


def test_a_key_that_was_drawn_for_one_exchange_is_not_counted(log):
    """Counting costs memory and time, and an old count that was forgotten would start again."""
    made, number = make(log, 0)
    here = made.place(Place("main.py", 20, "<module>"))
    for device in ("CPU:0", "CPU:0", "", ""):
        made.begins_at_once(number, here, device, 1, 5, 12)
    assert [one.execution for one in read(log).exchanges] == [1, 2, 1, 1]


def test_of_very_many_keys_the_newest_have_their_lines(log, monkeypatch):
    monkeypatch.setattr(ledger, "_ASKED", 8)
    made, number = make(log, 0)
    for key in range(20):
        made.asked(1, key, Place("main.py", key + 1, "<module>"))
    for key in (5, 16, 19):
        made.begins(number, 1, key, 12, 1000.0)
    assert [one.line.line for one in read(log).exchanges] == [7, 17, 20]  # 7: where it was built


def test_executions_of_different_lines_with_the_same_key_are_told_apart(log):
    made, number = make(log, 0)
    other = made.operation(Operation("all-reduce", "float32", (3,), "CPU:0", 2, "main.py", 9))
    for at, what in enumerate((number, other, number)):
        made.begins(what, 1, 100, 12, 1000.0 + at)
        made.ends(what, 1, 100, 1000.5 + at)
    assert [one.execution for one in read(log).exchanges] == [1, 2, 3]


def test_of_very_many_the_newest_are_kept_and_their_sums_are_of_all(log):
    make(log, ROWS + 10)
    found = read(log)
    assert found.made == ROWS + 10
    assert [one.number for one in found.exchanges] == list(range(11, ROWS + 11))
    assert found.totals()[Line("main.py", 12, "<module>")].times == ROWS + 10
    assert [one.number for one in read(log, most=2).exchanges] == [ROWS + 9, ROWS + 10]


def test_nothing_is_taken_of_a_row_that_is_being_written(log):
    """The newest row has the oldest row's place, and only its number is written last."""
    made, _ = make(log, ROWS)
    made._words[ledger._WORDS] = 0
    found = read(log)
    assert (found.whole, found.made) == (True, ROWS)
    made._words[2 * ledger._WORDS] = 0
    assert not read(log).whole


def test_an_exchange_that_ends_after_its_row_was_needed_changes_no_other(log):
    made, number = make(log, 0)
    made.begins(number, 1, 7, 12, 1.0)
    for key in range(100, 100 + ROWS):
        made.begins(number, 1, key, 12, 2.0)
    made.ends(number, 1, 7, 3.0)
    assert all(one.key != 7 and not one.ended for one in read(log).exchanges)


def test_a_ledger_that_was_cut_anywhere_is_read(log):
    make(log, 4)
    whole = ledger.file(log).read_bytes()[: HEAD.size + 4 * ROW.size]
    for length in range(len(whole)):
        ledger.file(log).write_bytes(whole[:length])
        found = read(log)
        if length < HEAD.size:
            assert found is None
        else:
            assert found.made == (length - HEAD.size) // ROW.size
            assert not found.whole
    ledger.file(log).write_bytes(whole)
    assert read(log).whole


@pytest.mark.parametrize("what", ["operation", "place"])
def test_a_ledger_whose_descriptions_are_cut_is_not_whole(log, what):
    made, _ = make(log, 2)
    number = made.operation(replace(REDUCE, shape=(4,)))
    made.asked(1, 2, Place("main.py", 13, "<module>"))
    made.begins(number, 1, 2, 12, 2000.0)
    assert read(log).whole
    lines = ledger.described(log).read_text().splitlines(keepends=True)
    last = max(at for at, line in enumerate(lines) if what in json.loads(line))
    lines[last] = lines[last][:40]
    ledger.described(log).write_text("".join(lines))
    assert not read(log).whole
    assert read(log, most=1).whole is False


def test_a_ledger_of_an_earlier_start_is_not_compared_with_the_others(tmp_path):
    logs = {TaskId("worker", index): tmp_path / f"worker-{index}.log" for index in range(3)}
    for (task, log), attempt in zip(logs.items(), (2, 1, 2), strict=True):
        make(log, 3 + task.index, attempt=attempt)
    found = read_all(logs, ROWS)
    assert [one and one.made for one in found.values()] == [3, None, 5]


def test_a_ledger_with_a_hole_is_not_whole(log):
    make(log, 4)
    with ledger.file(log).open("r+b") as file:
        file.seek(HEAD.size + ROW.size)
        file.write(bytes(ROW.size))
    found = read(log)
    assert ([one.number for one in found.exchanges], found.whole) == ([1, 3, 4], False)
    assert read(log, most=2).whole
    assert not read(log, most=3).whole


def test_a_ledger_that_was_cut_after_its_newest_rows_is_not_whole(log, monkeypatch):
    """The newest rows replace the oldest, at the beginning of the file."""
    monkeypatch.setattr(ledger, "ROWS", 8)
    make(log, 10)
    data = ledger.file(log).read_bytes()
    ledger.file(log).write_bytes(data[: HEAD.size + 5 * ROW.size])
    found = read(log, most=4)
    assert ([one.number for one in found.exchanges], found.whole) == ([4, 5, 9, 10], False)


def test_what_is_not_recorded_is_noted_once(log):
    made, _ = make(log, 1)
    for what in ("XLA", "tf.raw_ops", "XLA"):
        made.leaves_out(what)
    assert ledger.described(log).read_text().count("XLA") == 1
    found = read(log)
    assert (found.unrecorded, found.made, found.whole) == (("XLA", "tf.raw_ops"), 1, True)


def test_rows_that_cannot_be_true_are_left_out(log):
    make(log, 1)
    at = HEAD.size + ROW.size
    for row in (
        (2, 1, 1, 1, 999, 0, 1, 12, 12, 1.0, 2.0),  # of an operation that was never described
        (2, 1, 1, 1, 0, 0, 1, 12, 12, float("nan"), 2.0),
        (2, 1, 1, 1, 0, 0, 1, 12, 12, 1.0, 1e300),
    ):
        with ledger.file(log).open("r+b") as file:
            file.seek(at)
            file.write(ROW.pack(*row))
        assert read(log).made == 1
    ledger.described(log).write_text('no json\n{"operation": 0}\n[]\n{"place": "x"}\n')
    assert read(log).exchanges == ()


@pytest.mark.parametrize("version", [ledger.VERSION - 1, ledger.VERSION + 1])
def test_of_an_older_or_newer_version_nothing_is_read(log, version):
    make(log, 1)
    with ledger.file(log).open("r+b") as file:
        file.write(HEAD.pack(version, 1, 0, 0.0, 0))
    assert read(log) is None
    assert read(log.with_name("another.log")) is None


def test_a_program_that_closes_all_files_loses_no_row(log):
    made, number = make(log, 1)
    for fd in map(int, os.listdir(FDS)):
        with contextlib.suppress(OSError):
            if os.path.samestat(os.fstat(fd), ledger.file(log).stat()):
                os.close(fd)
    own = log.with_name("the-programs-own")
    with own.open("wb", buffering=0) as other:  # gets the number of the closed descriptor
        for key in range(1, 2000):
            made.begins(number, 1, key, 12, 2000.0)
        gc.collect()
        other.write(b"still open")
    assert own.read_bytes() == b"still open"
    assert (read(log).made, read(log).whole) == (2000, True)


def test_where_there_is_no_more_room_the_rest_is_not_recorded_and_the_reader_knows(log):
    made, number = make(log, 1)
    _, hard = before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (ledger.file(log).stat().st_size, hard))
    try:
        for key in range(1, 2000):
            made.begins(number, 1, key, 12, 2000.0)
            made.ends(number, 1, key, 2001.0)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    made.looked(3000.0)
    found = read(log)
    assert (found.whole, found.exchanges[0].number) == (False, 1)


def test_an_earlier_start_that_still_writes_does_not_write_into_the_file_of_a_later_one(log):
    earlier, number = make(log, 1)
    make(log, 3, attempt=2)
    earlier.begins(number, 1, 7, 12, 2000.0)
    assert (read(log).attempt, [one.key for one in read(log).exchanges]) == (2, [0, 1, 2])


def test_an_exchange_outside_of_functions_is_recorded_at_once(log):
    made, number = make(log, 0)
    here = made.place(Place("main.py", 20, "<module>"))
    rows = [made.begins_at_once(number, here, "CPU:0", 1, key, 12) for key in (5, 6, 7)]
    assert [one.ended for one in read(log).exchanges] == [0, 0, 0]
    made.close(rows[0], 2000.0)
    made.close(rows[1], -2000.0)
    made.breaks_off()  # of graphs
    first, second, third = read(log).exchanges
    assert (first.done, second.broken, third.ended) == (True, True, 0)
    assert (third.line.line, third.times, third.total) == (20, 3, 36)


def test_an_error_of_a_session_ends_what_it_executes(log):
    def run():
        raise ValueError("a peer no longer exists")

    ledger.install(str(log))
    try:
        noting = ledger.here()
        noting.begins(noting.operation(REDUCE), 1, 5, 12, 2000.0)
        with pytest.raises(ValueError, match="a peer no longer exists"):
            noting_errors(run)()
        assert [one.broken for one in read(log).exchanges] == [True]
    finally:
        ledger._ledger = None


def test_exchanges_of_a_graph_are_written_before_a_later_one(log, monkeypatch):
    made, number = make(log, 0)
    staged = []

    def take():
        rows, staged[:] = staged[:], []
        return rows

    def execute(key):
        staged.append((2 * number, 1, key, 12, 1000.0 + key))

    for name, value in {"_ledger": made, "_takes": [take], "_unannounced": False}.items():
        monkeypatch.setattr(ledger, name, value)
    ledger.flush()
    noting_errors(execute)(1)
    ledger.settle()
    assert [one.key for one in read(log).exchanges] == [1]
    execute(2)  # by an unwatched call: the thread finds it, and then watches for such calls
    ledger.settle()
    assert [one.key for one in read(log).exchanges] == [1]
    ledger.flush()
    execute(3)
    ledger.settle()
    assert [one.key for one in read(log).exchanges] == [1, 2, 3]


def test_exchanges_of_a_graph_that_another_thread_is_writing_come_first(log, monkeypatch):
    made, number = make(log, 0)
    taking, go, seen = threading.Event(), threading.Event(), []

    def take():
        taking.set()
        go.wait()
        return [(2 * number, 1, 1, 12, 1000.0)]

    for name, value in {"_ledger": made, "_takes": [take], "_unannounced": False}.items():
        monkeypatch.setattr(ledger, name, value)
    writing = threading.Thread(target=ledger.flush)
    writing.start()
    taking.wait()
    monkeypatch.setattr(ledger, "_takes", [list])  # nothing else
    settled = threading.Thread(target=lambda: (ledger.settle(), seen.append(read(log).made)))
    settled.start()
    settled.join(0.2)
    go.set()
    writing.join()
    settled.join()
    assert seen == [1]


def test_at_the_end_of_the_program_nothing_is_missing(log, monkeypatch):
    made, number = make(log, 0)
    made.looked(1000.0)
    for name, value in {
        "_ledger": made,
        "_takes": [lambda: [(2 * number, 1, 1, 12, 1000.0)]],
    }.items():
        monkeypatch.setattr(ledger, name, value)
    ledger._finish()
    found = read(log)
    assert (found.made, found.looked) == (1, 0.0)


def test_what_a_program_forks_writes_nothing(log):
    ledger.install(str(log))
    try:
        assert ledger.here() is not None
        if not (pid := os.fork()):
            os._exit(0 if ledger.here() is None else 1)
        assert os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]) == 0
    finally:
        ledger._ledger = None

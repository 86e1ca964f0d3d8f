"""A task's records of its time: written by the task, read by readers of its run."""

from __future__ import annotations

import os
import random
import subprocess
import sys
import threading
import time

import pytest

from mwtutor.run.observations import moments as reading
from mwtutor.worker import moments
from mwtutor.worker.moments import BLOCK, CELL, EPOCH, FIT, RECORD, SAVE, TEST, Moments


@pytest.fixture
def log(tmp_path):
    return tmp_path / "worker-0.log"


def writer(log, attempt=1):
    return Moments(moments.file(log), attempt)


def take(made, count, length=1.0):
    """Record steps of one second each, without waiting."""
    at = time.perf_counter()
    for n in range(count):
        if made.wants():
            made.step(at + n * length, at + n * length + length / 2, 0.1)
        made.ends(at + n * length + length / 2)


def test_what_is_written_is_read(log):
    made = writer(log, attempt=2)
    for kind in (FIT, EPOCH):
        made.note(kind, 1 if kind == EPOCH else 0)
    take(made, 4)
    for kind in (TEST, TEST + 1, SAVE, SAVE + 1, EPOCH + 1, FIT + 1, CELL):
        made.note(kind, 7)
    made.flush()
    (seen,) = reading.read(log)
    assert (seen.attempt, seen.full, seen.taken) == (2, 0.0, 4)
    assert abs(seen.began - time.time()) < 60
    parts = {part.kind: part for part in seen.parts}
    assert set(parts) == {"training", "evaluating", "saving", "cell"}
    assert parts["training"].number == 1
    assert parts["cell"].end == 0  # the cell continues
    assert parts["training"].begin < parts["evaluating"].begin < parts["training"].end
    assert [step.number for step in seen.steps] == [0, 1, 2, 3]
    assert [step.first for step in seen.steps] == [True, False, False, False]
    assert seen.steps[1].length == pytest.approx(0.5)
    assert seen.steps[1].cpu == pytest.approx(0.1)
    assert seen.steps[1].since == pytest.approx(0.5)


def test_what_a_cell_did_can_be_read_as_soon_as_it_has_ended(log, monkeypatch):
    monkeypatch.setattr(moments, "_moments", writer(log))
    monkeypatch.setattr(moments, "_main", threading.get_ident())
    with moments.during(CELL, 1):
        moments.step_begins()
        moments.step_ends()
    (seen,) = reading.read(log)
    assert len(seen.steps) == 1
    assert next(part.end for part in seen.parts if part.kind == "cell") > 0


def test_an_exchange_belongs_to_the_step_after_it(log):
    made = writer(log)
    at = time.perf_counter()
    for n in range(3):
        made.wants()
        made.step(at + n, at + n + 0.5, 0.1)
        made.ends(at + n + 0.5)
        made.exchanged(0.1)
    made.flush()
    (seen,) = reading.read(log)
    assert [round(step.exchanging, 6) for step in seen.steps] == [0.0, 0.1, 0.1]


def test_of_many_steps_the_same_are_noted_by_all_and_the_file_stays_small(log, tmp_path):
    other = tmp_path / "worker-1.log"
    for one in (log, other):
        made = writer(one)
        take(made, 100_000, length=1e-3)
        made.flush()
        assert moments.file(one).stat().st_size < 1 << 20
    (first,), (second,) = reading.read(log), reading.read(other)
    numbers = [step.number for step in first.steps]
    assert numbers == [step.number for step in second.steps]
    assert 2000 <= len(numbers) <= 4096
    assert first.taken > 99_000
    whole = {step.number for step in reading.read(log, most=10**9)[0].steps}
    assert set(range(BLOCK)) <= whole
    assert BLOCK in whole
    assert BLOCK + 1 not in whole
    assert BLOCK + 2 in whole


def test_a_file_cut_short_or_damaged_is_read_as_far_as_it_goes(log):
    made = writer(log)
    take(made, 50)
    made.flush()
    data = moments.file(log).read_bytes()
    chance = random.Random(1)
    for cut in (0, 1, RECORD.size - 1, RECORD.size, len(data) - 5):
        moments.file(log).write_bytes(data[:cut])
        reading.read(log)
    for _ in range(200):
        spoilt = bytearray(data)
        for _ in range(chance.randrange(1, 20)):
            spoilt[chance.randrange(len(spoilt))] = chance.randrange(256)
        moments.file(log).write_bytes(spoilt)
        for noted in reading.read(log):
            numbers = [step.number for step in noted.steps]
            assert numbers == sorted(set(numbers))
            assert all(step.exchanging <= step.since for step in noted.steps)


def test_no_file_and_one_of_another_version_are_nothing(log):
    assert reading.read(log) == ()
    moments.file(log).write_bytes(RECORD.pack(moments.START, 1, 1e9, 99, 0, 0, 0))
    assert reading.read(log) == ()


def test_an_attempt_adds_to_what_the_one_before_has_noted(log):
    for attempt in (1, 2):
        made = writer(log, attempt)
        take(made, attempt)
        made.flush()
    assert [(one.attempt, one.taken) for one in reading.read(log)] == [(1, 1), (2, 2)]


def test_a_program_with_endless_short_epochs_does_not_fill_the_disk(log):
    made = writer(log)
    for n in range(60_000):
        made.note(EPOCH, n)
        made.note(EPOCH + 1)
    made.flush()
    assert moments.file(log).stat().st_size < 1 << 20
    assert reading.read(log)[0].full > 0


def test_what_the_program_has_opened_in_its_place_is_not_written_to(log, tmp_path):
    made = writer(log)
    made.flush()
    fd = made._fd
    os.close(fd)
    other = os.open(tmp_path / "own", os.O_CREAT | os.O_RDWR)
    os.dup2(other, fd)
    take(made, 10)
    made.flush()
    assert (tmp_path / "own").read_bytes() == b""


def test_clocks_of_all_tasks_are_the_same(log, monkeypatch):
    """A process that is suspended while it reads its clocks must not see its steps shifted."""
    looks = iter(range(1000))
    real = time.time

    def now():
        if next(looks) % 7 == 0:
            time.sleep(0.02)
        return real()

    right = min(
        (after - before, at - before)
        for before, at, after in (
            (time.perf_counter(), real(), time.perf_counter()) for _ in range(50)
        )
    )[1]
    monkeypatch.setattr(time, "time", now)
    assert abs(writer(log)._epoch - right) < 0.002


PROGRAM = """
import sys, time
from mwtutor.worker import moments
moments.install(sys.argv[1])
moments.begin(moments.CELL, 3)
for _ in range(3):
    moments.step_begins()
    time.sleep(0.06)
    moments.step_ends()
{rest}
"""


def run(log, rest):
    words = [sys.executable, "-c", PROGRAM.format(rest=rest), str(log)]
    return subprocess.run(words, env={**os.environ, "MWTUTOR_ATTEMPT": "1"}, check=False)


def test_what_was_noted_survives_a_kill(log):
    run(log, "import os; os.kill(os.getpid(), 9)")
    (seen,) = reading.read(log)
    assert [part.kind for part in seen.parts] == ["cell"]
    assert len(seen.steps) == 3
    assert all(step.length >= 0.05 for step in seen.steps)


def test_what_a_program_forks_or_does_in_threads_is_not_noted(log):
    rest = """
import os, threading
thread = threading.Thread(target=lambda: (moments.step_begins(), moments.step_ends()))
thread.start(); thread.join()
if os.fork() == 0:
    moments.step_begins(); moments.step_ends(); moments.flush(); os._exit(0)
os.wait()
moments.flush()
"""
    assert run(log, rest).returncode == 0
    assert reading.read(log)[0].taken == 3


def test_what_an_error_cut_short_ends_with_what_it_was_in(log):
    rest = """
moments.begin(moments.FIT)
moments.begin(moments.EPOCH, 1)
moments.end(moments.CELL)
moments.flush()
"""
    run(log, rest)
    parts = {part.kind: part for part in reading.read(log)[0].parts}
    assert parts["training"].end == parts["cell"].end > 0

"""The reports of a program."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
from collections import deque

import numpy as np
import pytest

import mwtutor
from mwtutor import metrics


def test_metrics_never_block_and_never_break(monkeypatch):
    read, write = os.pipe()
    channel = metrics.Channel(write)
    for _ in range(2000):
        channel.send("progress", text="x" * 100)
    os.close(read)
    channel.send("progress")
    os.close(write)


def test_an_event_that_does_not_fit_is_not_sent():
    read, write = os.pipe()
    channel = metrics.Channel(write)
    channel.send("progress", text="x" * 5000)
    channel.send("serving")
    assert os.read(read, 9000) == b'{"event": "serving"}\n'
    os.close(read)
    os.close(write)


def test_what_waits_is_not_sent_after_what_is_newer(monkeypatch):
    read, write = os.pipe()
    monkeypatch.setattr(metrics, "_channel", metrics.Channel(write))
    monkeypatch.setattr(metrics, "_last_sent", time.monotonic() + 60)
    metrics.epoch_ended(epoch=1)
    metrics.progress(epoch=2)
    metrics.flush()
    sent = [json.loads(line)["epoch"] for line in os.read(read, 9000).splitlines()]
    assert sent == [2]
    os.close(read)
    os.close(write)


@pytest.fixture
def sent(monkeypatch):
    """Act as a task that has just sent a message; return what it sends from now on."""
    read, write = os.pipe()
    monkeypatch.setattr(metrics, "_channel", metrics.Channel(write))
    monkeypatch.setattr(metrics, "_last_sent", time.monotonic() + 60)
    monkeypatch.setattr(metrics, "_held", deque(maxlen=1))
    monkeypatch.setattr(metrics, "_warned", False)

    def lines():
        os.write(write, b"{}\n")  # so that reading never waits
        return [json.loads(line) for line in os.read(read, 65536).splitlines()[:-1]]

    yield lines
    os.close(read)
    os.close(write)


#: A task that reports, falls silent, and forks; it prints how many threads it has.
SILENT = """
import json, os, select, threading, time
import mwtutor
from mwtutor import metrics

def threads():
    return len(os.listdir("/proc/self/task"))

def received(patience):
    select.select([read], [], [], patience)
    return [json.loads(line) for line in os.read(read, 65536).splitlines()]

read, write = os.pipe()
os.set_blocking(read, False)
metrics.connect(write)
before = threads()
for step in range(1, 21):
    mwtutor.report(step, loss=1 / step)
first, *_ = received(0)
assert first["step"] == 1, first
begun = time.monotonic()
(last,) = received(60)
assert last["step"] == 20 and last["metrics"] == {"loss": 0.05}, last
assert time.monotonic() - begun < 50
assert [thread.name for thread in threading.enumerate()] == ["MainThread"]
deadline = time.monotonic() + 60
while threads() > before:
    assert time.monotonic() < deadline, "the thread stays although nothing is held back"
    time.sleep(0.05)
for step in (21, 22):  # the second is held back while it forks
    mwtutor.report(step)
if (child := os.fork()) == 0:
    mwtutor.report(99)
    metrics.flush()
    os._exit(0 if threads() == 1 else 1)
assert os.waitpid(child, 0)[1] == 0
assert [event["step"] for event in received(60)] == [21]
assert [event["step"] for event in received(60)] == [22]
print("all of it")
"""


def test_what_was_held_back_is_sent_when_the_task_falls_silent():
    done = subprocess.run(
        [sys.executable, "-c", SILENT], capture_output=True, text=True, timeout=180
    )
    assert done.stdout == "all of it\n", done.stderr


class OfAStrategy:
    """A metric whose value needs a collective, so every worker must read in the same order."""

    def __float__(self):
        self.reader = threading.get_ident()
        return 1.0


def test_what_has_to_be_computed_is_read_by_the_programs_own_thread_only(sent, monkeypatch):
    value = OfAStrategy()
    monkeypatch.setattr(metrics, "_last_sent", time.monotonic())
    mwtutor.report(3, loss=value)
    (held,) = metrics._held
    metrics._send_unless_older(held)
    assert sent() == []
    metrics.flush()
    assert sent() == [{"event": "progress", "step": 3, "metrics": {"loss": 1.0}}]
    assert value.reader == threading.get_ident()


class Broken:
    def __float__(self):
        raise RuntimeError("its peers are gone")

    __int__ = __float__


@pytest.mark.parametrize(
    ("reported", "left"),
    [
        ({"step": "many", "loss": 1.0}, {"metrics": {"loss": 1.0}}),
        ({"step": float("nan"), "epoch": 2}, {"epoch": 2, "metrics": {}}),
        ({"step": float("inf")}, {"metrics": {}}),
        ({"step": 10**5000}, {"metrics": {}}),
        ({"step": np.array([1, 2]), "loss": np.array([1.0, 2.0])}, {"metrics": {}}),
        ({"step": 1, "loss": Broken(), "mae": 2.0}, {"step": 1, "metrics": {"mae": 2.0}}),
        ({"epoch": Broken()}, {"metrics": {}}),
    ],
)
@pytest.mark.parametrize("when", ["due", "at the end"])
def test_what_is_no_number_is_left_out_and_said_once(
    sent, monkeypatch, capsys, reported, left, when
):
    if when == "due":
        monkeypatch.setattr(metrics, "_last_sent", -60.0)
    mwtutor.report(**reported)
    mwtutor.report(**reported)
    metrics.flush()
    for event in (found := sent()):
        assert event == {"event": "progress", **left}
    assert len(found) == (2 if when == "due" else 1)
    said = capsys.readouterr().err
    assert said.count("mwtutor.report left out ") == said.count("\n") == 1
    assert "Traceback" not in said


def test_the_warning_itself_breaks_nothing(sent, monkeypatch):
    monkeypatch.setattr(metrics, "_last_sent", -60.0)
    monkeypatch.setattr(sys, "stderr", None)
    mwtutor.report("many")
    monkeypatch.setattr(metrics, "_warned", False)
    with open(os.devnull) as unwritable:
        monkeypatch.setattr(sys, "stderr", unwritable)
        mwtutor.report("many")


def test_what_a_library_measures_is_left_out_in_silence(sent, capsys):
    metrics.progress(step=1, metrics={"per class": np.array([1.0, 2.0]), "loss": 1.0})
    assert sent() == [{"event": "progress", "step": 1, "metrics": {"loss": 1.0}}]
    assert not capsys.readouterr().err


def test_what_the_program_opens_instead_is_its_own(tmp_path):
    read, write = os.pipe()
    channel = metrics.Channel(write)
    channel.send("serving")
    os.closerange(write, write + 1)
    channel.send("progress", wait=0.1)
    mine = tmp_path / "mine"
    opened = os.open(mine, os.O_WRONLY | os.O_CREAT)
    if opened != write:
        os.dup2(opened, write)
        os.close(opened)
    channel.send("progress", wait=0.1)
    channel.send("progress")
    os.close(write)
    assert mine.read_bytes() == b""
    assert os.read(read, 9000) == b'{"event": "serving"}\n'
    os.close(read)


IN_A_GRAPH = """
import os
import tensorflow as tf
import mwtutor
from mwtutor import metrics

read, write = os.pipe()
metrics.connect(write)
eager = tf.constant([1.0, 2.0])

@tf.function
def step(x):
    loss = tf.reduce_sum(x)
    mwtutor.report(loss, loss=loss, known=0.5, vector=eager)
    return loss

for _ in range(2):
    print(float(step(eager)))
metrics.flush()
print(os.read(read, 9000).decode())
"""


@pytest.mark.full
@pytest.mark.tensorflow
def test_a_report_in_a_graph_is_left_out_and_the_graph_goes_on():
    done = subprocess.run(
        [sys.executable, "-c", IN_A_GRAPH], capture_output=True, text=True, timeout=300
    )
    assert done.returncode == 0, done.stderr[-2000:]
    assert done.stdout.split("\n", 2)[:2] == ["3.0", "3.0"]
    assert json.loads(done.stdout.split("\n", 2)[2])["metrics"] == {"known": 0.5}
    assert done.stderr.count("mwtutor.report left out step") == 1


def test_a_report_outside_a_run_does_nothing():
    mwtutor.report(1, loss=object())


def test_only_numbers_are_metrics(sent):
    given = {"loss": 1 / 3, "name": "x", "none": None, "nan": float("nan"), "big": 10**400}
    metrics.progress(metrics=given)
    (event,) = sent()
    assert event["metrics"]["loss"] == 0.3333333
    assert set(event["metrics"]) == {"loss", "nan"}

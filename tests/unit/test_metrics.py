"""What a program reports."""

from __future__ import annotations

import json
import os
import time

import pytest

import mwtutor
from mwtutor import metrics


def test_metrics_never_block_and_never_break(monkeypatch):
    read, write = os.pipe()
    channel = metrics.Channel(write)
    start = time.monotonic()
    for _ in range(2000):
        channel.send("progress", text="x" * 100)
    os.close(read)
    channel.send("progress")
    assert time.monotonic() - start < 5
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
    monkeypatch.setattr(metrics, "_last_sent", time.monotonic())
    metrics.epoch_ended(epoch=1)
    metrics.progress(epoch=2)
    metrics.flush()
    sent = [json.loads(line)["epoch"] for line in os.read(read, 9000).splitlines()]
    assert sent == [2]
    os.close(read)
    os.close(write)


def test_a_report_outside_a_run_does_nothing():
    mwtutor.report(1, loss=object())


def test_only_numbers_are_metrics():
    kept = metrics._numbers(
        {"loss": 1 / 3, "name": "x", "none": None, "nan": float("nan"), "big": 10**400}
    )
    assert kept["loss"] == 0.3333333
    assert set(kept) == {"loss", "nan"}
    json.dumps(kept)


HUGE = pytest.param(10**5000, id="huge")


class Stubborn:
    def __float__(self) -> float:
        raise RuntimeError("not now")

    __int__ = __float__


@pytest.mark.parametrize("value", ["one", float("nan"), [1, 2], Stubborn(), HUGE, object()])
def test_a_report_never_fails_a_program(monkeypatch, value):
    read, write = os.pipe()
    monkeypatch.setattr(metrics, "_channel", metrics.Channel(write))
    monkeypatch.setattr(metrics, "_last_sent", 0.0)
    mwtutor.report(value, epoch=value, loss=value)
    mwtutor.report(value, epoch=value, loss=value)  # too soon: sent at the end
    metrics.flush()
    for line in os.read(read, 9000).splitlines():
        assert json.loads(line).keys() <= {"event", "metrics"}
    os.close(read)
    os.close(write)

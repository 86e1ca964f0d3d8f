"""Which runs are asked where their tasks are, and how often."""

from __future__ import annotations

import threading
import time
from types import SimpleNamespace

import pytest

from mwtutor.cluster import TaskId
from mwtutor.exceptions import NoRun
from mwtutor.run.observations import standing
from mwtutor.run.observations.standing import Asker, Standing
from tests.support.waiting import until

SILENT = (TaskId("worker", 0),)
FOUND = (Standing(TaskId("worker", 1), why="busy"),)


@pytest.fixture
def asked(monkeypatch):
    """A run whose tasks answer when allowed, and how often they were asked."""
    asked = SimpleNamespace(times=0, answer=threading.Event(), directory="")
    asked.answer.set()

    def standings(run):
        asked.times += 1
        assert asked.answer.wait(10)
        if asked.times > 9:
            raise NoRun("It has ended.")
        return FOUND

    monkeypatch.setattr(standing, "standings", standings)
    monkeypatch.setattr(standing.Run, "open", lambda directory: asked)
    return asked


def until_found(asker, asked, expected):
    until(lambda: asker.standings(asked, SILENT) == expected)


def test_nobody_is_asked_unless_tasks_are_silent(asked):
    asker = Asker()
    assert asker.standings(asked, ()) == ()
    assert asked.times == 0


def test_whoever_shows_a_run_is_not_held_up_by_tasks_that_do_not_answer(asked):
    asked.answer.clear()
    asker = Asker()
    for _ in range(5):
        assert asker.standings(asked, SILENT) == ()
    asked.answer.set()
    until_found(asker, asked, FOUND)
    assert asked.times == 1


def test_they_are_asked_again_after_a_pause_and_in_another_silence(asked):
    asker = Asker(pause=60)
    until_found(asker, asked, FOUND)
    asker.standings(asked, SILENT)
    assert asked.times == 1, "not before the pause is over"
    assert asker.standings(asked, ()) == (), "the silence is over"
    until_found(asker, asked, FOUND)
    assert asked.times == 2
    soon = Asker(pause=0)
    until_found(soon, asked, FOUND)
    before = asked.times
    deadline = time.monotonic() + 60
    while asked.times < before + 3:
        soon.standings(asked, SILENT)
        assert time.monotonic() < deadline


def test_of_a_run_that_has_ended_nothing_is_found(asked):
    asker = Asker(pause=0)
    until_found(asker, asked, FOUND)
    asked.times = 9
    until_found(asker, asked, ())

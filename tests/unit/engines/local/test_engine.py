"""The connections that keep a run of this process alive, without a real run."""

from __future__ import annotations

import socket
from collections.abc import Iterator

import pytest

from mwtutor.engines.local.engine import Held, LocalEngine
from tests.support.runs.specs import a_spec


@pytest.fixture
def pairs() -> Iterator[list[socket.socket]]:
    made = [*socket.socketpair(), *socket.socketpair()]
    yield made
    for one in made:
        one.close()


def test_a_copy_of_a_run_is_not_held_though_it_has_its_id(tmp_path, pairs):
    run, copy = a_spec(tmp_path / "run"), a_spec(tmp_path / "copy")
    engine = LocalEngine()
    engine._owned[run.directory] = Held(pairs[0], pairs[2])
    assert run.id == copy.id
    assert engine.holds(run)
    assert not engine.holds(copy)
    engine.cleanup(copy)
    assert engine.holds(run), "looking at a copy does not end the run"


def test_a_run_that_another_thread_has_let_go_of_has_ended(tmp_path, pairs):
    run = a_spec(tmp_path / "run")
    engine = LocalEngine()
    engine._owned[run.directory] = held = Held(pairs[0], pairs[2])
    held.close()
    assert engine.wait(run, 5.0)
    assert not engine.holds(run)

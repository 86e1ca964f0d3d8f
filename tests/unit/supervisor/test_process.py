"""The process of a supervisor: what its owner learns, and how it ends."""

from __future__ import annotations

import os
import socket
from pathlib import Path

import pytest

from mwtutor.exceptions import BadInput
from mwtutor.run import control
from mwtutor.run.record import life
from mwtutor.supervisor import process
from mwtutor.system import child, transport
from tests.support.runs.directories import a_run
from tests.support.waiting import until


@pytest.fixture
def supervised(work):
    """A real process that executes ``work`` to supervise: its pid, and its owner's connection."""

    def start(begin):
        run = a_run()
        owner, theirs = socket.socketpair()
        lease, its = socket.socketpair()
        order = {
            "run": run.to_json(),
            "control": str(control.new_path(run)),
            "context": child.ProcessContext.here(str(work)).to_json(),
        }
        pid = os.fork()
        if not pid:
            owner.close()
            lease.close()
            process.supervise(theirs, its, order, (), begin)
        theirs.close()
        its.close()
        return run, owner, lease, pid

    return start


def test_a_begin_that_is_refused_is_told_in_two_sentences(supervised):
    def begin(place):
        raise BadInput("There is no such network.", "Use another.")

    _run, owner, _lease, pid = supervised(begin)
    told, _ = transport.receive(owner)
    assert told == {"problem": "There is no such network.", "remedy": "Use another."}
    assert os.waitpid(pid, 0)[0] == pid


def test_an_error_of_ours_is_told_and_its_socket_goes(supervised, capfd):
    def begin(place):
        raise KeyError("nobody expected this")

    run, owner, _lease, pid = supervised(begin)
    told, _ = transport.receive(owner)
    assert told == {"error": "KeyError: 'nobody expected this'"}
    os.waitpid(pid, 0)
    until(lambda: control.paths(run) == [])


def test_what_began_goes_on_until_its_end_and_holds_the_runs_life(supervised):
    def begin(place):
        Path("began").write_text(str(place.run.id))

        def go_on():
            place.owner.recv(1)  # the owner closes

        return go_on

    run, owner, lease, pid = supervised(begin)
    told, _ = transport.receive(owner)
    assert Path("began").read_text() == run.id
    assert life.look(run).goes_on is True
    supervisor = told["started"]
    assert supervisor != pid, "the guard is its parent"
    owner.close()
    lease.close()
    os.waitpid(pid, 0)
    assert not Path(f"/proc/{supervisor}").exists()
    assert life.look(run).goes_on is False

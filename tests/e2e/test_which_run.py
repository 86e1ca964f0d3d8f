"""Which run is meant where none is named."""

import pytest

import mwtutor
from mwtutor.cli import TerminalFace
from mwtutor.commands.dispatch import perform
from mwtutor.commands.parser import TERMINAL
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.run.record.eventlog import recorded_end

pytestmark = [pytest.mark.e2e, pytest.mark.full]

FOREVER = "import time; time.sleep(600)"


def do(verb, *words):
    perform(verb, words, TERMINAL, TerminalFace())


def test_the_run_that_goes_on_is_meant_and_not_a_newer_one_that_has_ended(launch, write, capsys):
    with pytest.raises(NoRun, match="no run yet"):
        mwtutor.find()
    write("long.py", FOREVER)
    write("other.py", FOREVER)
    write("short.py", "")
    long = launch("long.py", 1)
    short = launch("short.py", 1)
    short.wait(timeout=60)
    assert recorded_end(short.spec.events) is not None
    assert mwtutor.find() is long
    other = launch("other.py", 1)
    with pytest.raises(BadInput, match="2 runs are going on: long, other"):
        do("stop")
    assert long.outcome is other.outcome is None, "neither was stopped"
    do("stop", "other")
    do("stop")
    assert (long.outcome.status, other.outcome.status) == ("stopped", "stopped")
    assert mwtutor.find() is other, "the latest, now that none is running"
    do("stop")
    assert "Nothing is running here; other had ended." in capsys.readouterr().out

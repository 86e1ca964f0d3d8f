"""The run that a command refers to."""

import contextlib

import pytest

import mwtutor
from mwtutor.cli import TerminalFace, main
from mwtutor.commands.dispatch import perform
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.find_runs import Runs
from mwtutor.interface import TERMINAL
from mwtutor.singletons import singleton

pytestmark = [pytest.mark.e2e, pytest.mark.full]

FOREVER = "import time; print('on', flush=True); time.sleep(600)"


def do(verb, *words):
    perform(verb, words, TERMINAL, TerminalFace())


@contextlib.contextmanager
def another_terminal():
    """Act as a process that has launched nothing, in the same directory."""
    here = singleton(Runs)
    kept, here[:] = here[:], []
    try:
        yield
    finally:
        here[:] = kept


def test_what_was_launched_last_here_is_meant_and_another_run_is_never_stopped_unnamed(
    launch, write, capsys
):
    with pytest.raises(NoRun, match="no run yet"):
        mwtutor.find()
    write("long.py", FOREVER)
    write("other.py", FOREVER)
    write("short.py", "print('brief')")
    long = launch("long.py", 1)
    short = launch("short.py", 1)
    short.wait(timeout=60)
    assert mwtutor.find() is short
    do("logs")
    captured = capsys.readouterr()
    assert captured.out == "worker:0 | brief\n"
    assert captured.err == "short: succeeded\n"
    for verb, *words in (["stop"], ["kill", "worker:0"]):
        with pytest.raises(BadInput, match="short, which was launched last, has ended; long is"):
            do(verb, *words)
    other = launch("other.py", 1)
    with pytest.raises(BadInput, match="2 runs are running: long, other") as raised:
        do("stop")
    assert "--name long" in raised.value.remedy
    assert long.outcome is other.outcome is None, "neither was stopped"
    do("stop", "--name", "other")
    do("stop", "long")
    assert (long.outcome.status, other.outcome.status) == ("stopped", "stopped")
    do("stop")
    assert "Nothing is running here; other has already ended." in capsys.readouterr().out


def test_another_terminal_means_the_one_that_is_running_and_asks_if_there_are_two(
    launch, write, capsys
):
    write("long.py", FOREVER)
    write("short.py", "print('brief')")
    long = launch("long.py", 1)
    launch("short.py", 1).wait(timeout=60)
    with another_terminal():
        assert mwtutor.find().name == "long"
        second = launch("long.py", 1, name="second")
        singleton(Runs).clear()
        assert main(["logs"]) == 2
        assert "2 runs are running: long, second." in capsys.readouterr().err
        do("stop", "second")
        do("stop")
    assert long.outcome.status == second.outcome.status == "stopped"


def test_a_run_is_named_in_any_place(launch, write, capsys):
    """Wherever the name can mean nothing else; a metric or a task of that name takes precedence."""
    write("short.py", "import mwtutor; mwtutor.report(1, loss=2.0); print('brief')")
    launch("short.py", 1).wait(timeout=60)
    launch("short.py", 1, name="loss").wait(timeout=60)
    for words in ("short", "--name short", "worker:0 short", "short worker:0"):
        assert main(["logs", *words.split()]) == 0
        assert capsys.readouterr() == ("worker:0 | brief\n", "")
    for words in ("short", "short loss", "loss short", "--name short"):
        do("plot", *words.split())
        assert "Wrote the picture to short-loss.png." in capsys.readouterr().out
    do("plot", "loss")
    assert "Wrote the picture to loss-loss.png." in capsys.readouterr().out
    for words in ("run.html short", "short run.html", "run.html --name short"):
        do("record", *words.split())
        assert "of short to run.html." in capsys.readouterr().out
    do("trace", "short", "trace.json")
    assert "of short to trace.json." in capsys.readouterr().out
    do("config", "short")
    assert "This is worker:0" in capsys.readouterr().out
    assert main(["kill", "short"]) == 2
    told = (
        "mwtutor: short is a run, not a task.\nName one of its tasks: mwtutor kill worker:1 short\n"
    )
    assert capsys.readouterr().err == told
    assert main(["trace", "short"]) == 2
    assert "No file was given for the trace." in capsys.readouterr().err
    assert main(["logs", "worker:0", "short", "--name", "other"]) == 2
    assert "two names, 'short' and 'other'" in capsys.readouterr().err

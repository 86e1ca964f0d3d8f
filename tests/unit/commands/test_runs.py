"""The arguments of the commands: their meaning, and that none of them causes a traceback."""

import io
import os
from contextlib import redirect_stderr, redirect_stdout
from unittest import mock

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mwtutor import singletons
from mwtutor.commands.dispatch import TERMINAL_VERBS, find, parse, parser, verbs
from mwtutor.commands.parser import signal_number, split
from mwtutor.commands.runs import launch_request
from mwtutor.devices.placement import Wish
from mwtutor.exceptions import MwtutorError
from mwtutor.interface import MAGIC, TERMINAL
from mwtutor.magics.names import CELL_MAGICS, COURSE_MAGICS, LINE_MAGICS, SESSION_MAGICS
from tests.conftest import anew


def request(line):
    return launch_request(parse("launch", split(line), MAGIC))


def test_a_line_becomes_a_request():
    made = request(
        "2 main.py --chief --ps 1 --evaluator --env A=b=c --env D= --name demo --threads 2 "
        "--timeout 1.5 -- --epochs 3 -- 'a b'"
    )
    assert (made.size.workers, made.size.chief, made.size.ps, made.size.evaluator) == (
        2,
        True,
        1,
        True,
    )
    assert made.args == ("--epochs", "3", "--", "a b")
    assert made.env == {"A": "b=c", "D": ""}
    assert (made.name, made.threads, made.timeout) == ("demo", 2, 1.5)
    assert request("2 -m pkg.train").executes.kind == "module"
    assert request("2 main.py --network host").network == "host"
    made = request("2 main.py --gpus-per-worker 1 --share-gpus --evaluator-gpus 1 --comm nccl")
    assert (made.gpus, made.comm) == (Wish(1, True, 1), "nccl")
    assert request("2 main.py").gpus == Wish(per_worker=None), "share out what there is"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("", "missing argument: N"),
        ("two main.py", "workers cannot be 'two'"),
        ("2", "Name one program"),
        ("2 main.py -m pkg", "Name one program"),
        ("2 main.py --wiat", "did you mean --wait"),
        ("2 main.py extra", "unknown argument 'extra'"),
        ("2 main.py --keras 4", "--keras cannot be '4'"),
        ("2 main.py --network moon", "--network cannot be 'moon'"),
        ("2 main.py --env A", "is not NAME=VALUE"),
        ("2 main.py --timeout soon", "--timeout cannot be 'soon'"),
        ("2 main.py --timeout nan", "--timeout cannot be nan"),
        ("2 main.py --comm mpi", "--comm cannot be 'mpi'"),
        ("2 main.py --gpus-per-worker all", "--gpus-per-worker cannot be 'all'"),
        ("2 main.py --ps", "expected one argument"),
        ("2 'main.py", "No closing quotation"),
    ],
)
def test_bad_words_are_named(line, words):
    with pytest.raises(MwtutorError, match=words) as raised:
        request(line)
    assert raised.value.remedy


WORDS = st.lists(
    st.sampled_from(["--ps", "--env", "-n", "--", "2", "-1", "A=b", "--grep", "(", "--name", "''"])
    | st.text(max_size=8)
)


@pytest.mark.parametrize(
    ("line", "remedy"),
    [
        ("2 main.py --epochs 3", "To pass it to main.py: %mw_launch 2 main.py -- --epochs 3"),
        (
            "2 main.py --name demo extra --lr 0.1",
            "To pass it to main.py: %mw_launch 2 main.py --name demo -- extra --lr 0.1",
        ),
        ("main.py --workers 2", "The number of workers comes first: %mw_launch 2 ..."),
        ("-np 4 main.py", "The number of workers comes first: %mw_launch 2 ..."),
        ("main.py 2", "The number of workers comes first: %mw_launch 2 main.py"),
        ("2 main.py --wiat", "%mw_launch? lists the arguments and options."),
    ],
)
def test_words_meant_for_the_program_or_another_launcher_are_put_right(line, remedy):
    with pytest.raises(MwtutorError) as raised:
        request(line)
    assert raised.value.remedy == remedy


def test_a_line_with_two_names_is_refused():
    assert parse("logs", split("worker:0 demo --name demo"), MAGIC).name == "demo"
    with pytest.raises(MwtutorError, match="two names, 'demo' and 'other'"):
        parse("logs", split("worker:0 demo --name other"), MAGIC)


@given(st.sampled_from(sorted(verbs())), WORDS.map(" ".join) | st.text())
def test_any_line_is_understood_or_refused_in_two_sentences(verb, line):
    try:
        options = parse(verb, split(line), MAGIC)
        if verb == "launch":
            launch_request(options)
    except MwtutorError as error:
        assert error.problem
        assert error.remedy


@pytest.mark.parametrize("style", [MAGIC, TERMINAL])
def test_help_is_complete(style):
    for verb in {**verbs(), **TERMINAL_VERBS} if style is TERMINAL else verbs():
        text = parser(verb, style).format_help()
        assert find(verb, style).summary in text
        assert "@" not in text


def test_every_verb_has_its_magic():
    named = {*LINE_MAGICS, *SESSION_MAGICS, *COURSE_MAGICS, *CELL_MAGICS}
    assert not verbs().keys() - named, "magics/names.py lacks them"
    assert not named - verbs().keys(), "magics/names.py has them, and no VERBS in commands/ does"


def test_signals_by_any_name():
    assert signal_number("kill") == signal_number("SIGKILL") == signal_number("9") == 9
    with pytest.raises(MwtutorError):
        signal_number("99")


LOOKING = st.sampled_from(["status", "logs", "wait", "stop", "runs", "config", "plot", "kill"])


@settings(max_examples=40)
@given(LOOKING | st.text(max_size=6), WORDS)
def test_any_words_in_a_terminal_end_in_a_status_and_no_traceback(tmp_path_factory, verb, words):
    from mwtutor.cli import main

    before = os.getcwd()
    os.chdir(tmp_path_factory.mktemp("empty"))
    complaints = io.StringIO()
    try:
        with (
            mock.patch.object(singletons, "current", anew()),  # whatever other tests have launched
            redirect_stdout(io.StringIO()),
            redirect_stderr(complaints),
        ):
            status = main([verb, *words])
    except SystemExit as help_was_asked_for:
        status = help_was_asked_for.code
    finally:
        os.chdir(before)
    assert status in (0, 2)
    assert "Traceback" not in complaints.getvalue()


def test_launch_is_in_the_background_only_in_a_notebook():
    help_ = parser("launch", TERMINAL).format_help()
    assert "In a terminal, the command waits for the end." in help_
    assert "in the background" not in help_

"""The arguments of the session commands, and cells in which they are rejected."""

from __future__ import annotations

import pytest

from mwtutor.commands import dispatch
from mwtutor.commands.parser import split
from mwtutor.commands.sessions import (
    VERBS,
    cell_number,
    check_cell,
    names,
    session_among,
    session_request,
)
from mwtutor.devices.placement import Wish
from mwtutor.exceptions import BadInput, MwtutorError
from mwtutor.interface import MAGIC


def parse(verb, line):
    return dispatch.parse(verb, split(line), MAGIC)


def test_a_session_takes_what_a_launch_takes():
    request = session_request(
        parse("start", "3 --chief --keras 2 --threads 4 --env A=B=C --name demo")
    )
    assert (request.size.workers, request.size.chief, request.name) == (3, True, "demo")
    assert (request.keras, request.threads, request.env) == ("2", 4, {"A": "B=C"})
    assert session_request(parse("start", "")).size.workers == 2
    assert session_request(parse("start", "")).network == "auto"
    assert session_request(parse("start", "2 --network private")).network == "private"
    request = session_request(parse("start", "--gpus-per-worker 2 --share-gpus --comm ring"))
    assert (request.gpus, request.comm) == (Wish(2, True), "ring")


@pytest.mark.parametrize(
    ("line", "said"),
    [
        ("2 --ps", "expected one argument"),
        ("0 --chief --ps 1", "0 workers cannot train"),
        ("2 --evaluator", "no evaluator"),
        ("0", "cannot train"),
        ("two", "workers cannot be 'two'"),
        ("2 --kears 2", "did you mean --keras"),
    ],
)
def test_what_a_session_cannot_have_is_refused_with_the_reason(line, said):
    with pytest.raises(MwtutorError, match=said):
        session_request(parse("start", line))


def test_a_cell_in_the_background_is_named_by_its_number():
    assert parse("mw", "--background --task worker:1").background
    assert not parse("mw", "").background
    options = parse("result", "7 --wait --name demo")
    assert options.wait
    for line in ("7 --name demo", "7 demo", "demo 7"):
        options = parse("interrupt", line)
        assert (cell_number(options), options.name) == (7, "demo")
    options = parse("result", "demo")
    assert (cell_number(options), options.name) == (0, "demo")
    assert cell_number(parse("result", "")) == 0
    assert parse("result", "--timeout 2.5").timeout == 2.5
    with pytest.raises(BadInput, match="The number of a cell cannot be 'seven'"):
        cell_number(parse("result", "seven --name demo"))


@pytest.mark.parametrize("body", ["", " \n", "x = 1\n%%mw\ny = 2", "%mw_pull x"])
def test_cells_that_cannot_be_meant_are_refused(body):
    with pytest.raises(BadInput):
        check_cell("mw", body)


def test_other_magics_are_the_workers_business():
    check_cell("mw", "%%time\nx = 1")
    check_cell("mw_scope", "%timeit x\n")


def test_names_are_names():
    assert names(["a", "c"]) == ["a", "c"]
    with pytest.raises(BadInput):
        names(["a.b"])


@pytest.mark.parametrize(
    ("words", "session"),
    [("x y", ""), ("x demo", "demo"), ("demo x", "demo"), ("demo", ""), ("x demo-2 y", "demo-2")],
)
def test_a_sessions_name_is_understood_among_variables(words, session):
    assert (
        session_among(words.split(), ["demo", "demo-2"], ["x", "y"].__contains__, "push") == session
    )


def test_a_word_that_is_both_a_variable_and_a_session_is_refused():
    with pytest.raises(BadInput, match="demo is both a variable and a session") as refused:
        session_among(["x", "demo"], ["demo"], ["x", "demo"].__contains__, "push")
    assert "%mw_push x --name demo" in str(refused.value)
    with pytest.raises(BadInput, match="demo and other are both sessions"):
        session_among(["x", "demo", "other"], ["demo", "other"], ["x"].__contains__, "pull")


def test_every_verb_has_help_with_examples():
    for verb, what in VERBS.items():
        prefix = what.style.prefix if what.style else "%mw_"
        assert f"  {prefix}{verb}" in dispatch.parser(verb, MAGIC).format_help()


def test_a_restart_takes_another_number_of_workers():
    assert parse("restart", "--workers 3 --name demo").workers == 3
    assert parse("restart", "").workers is None
    with pytest.raises(BadInput, match="--workers cannot be '3x'"):
        parse("restart", "--workers 3x")

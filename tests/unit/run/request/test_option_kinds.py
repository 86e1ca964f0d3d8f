"""Every value of every option, from every interface, is accepted, or rejected in two sentences."""

from __future__ import annotations

import json
import math
import os
import sys
from collections.abc import Callable
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import mwtutor
from mwtutor.commands.dispatch import parse, parser
from mwtutor.commands.parser import split
from mwtutor.commands.runs import launch_request
from mwtutor.commands.sessions import session_request
from mwtutor.engines.local.engine import LocalEngine
from mwtutor.exceptions import BadInput, MwtutorError
from mwtutor.interface import MAGIC, TERMINAL
from mwtutor.run.engine import Engines
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.request.option_kinds import CountOrEach, Flag, rows
from mwtutor.run.request.options import LaunchRequest
from mwtutor.run.run import Run
from mwtutor.sessions import session as sessions
from mwtutor.sessions.session import Session
from tests.support.runs.specs import a_spec

ROWS = rows(LaunchRequest)
NAN = float("nan")


class Unspeakable:
    def __repr__(self) -> str:
        raise RuntimeError("has no words")


ODD = [
    None, True, False, -1, 0, 1, 2, 3, 2.0, 2.5, NAN, math.inf, 10**30, 10**5000,
    "", "2", "4", "x y", "RING", "--epochs 3", "~nouser", "a\0b", "\ud800", "/bin/true", b"main.py",
    [], ["a", 3], ["a", None], numpy.array([1, 2]), numpy.int64(2), Path("x"), object(), print,
    {}, {"SEED": "1"}, {"SEED": 1}, {"A=B": "x"}, {1: "x"}, {"A": "\0"}, {"\ud800": ""},
    {"TF_CONFIG": ""}, Unspeakable(),
]  # fmt: skip


class Reached(Exception):
    """Raised when a launch has reached its engine."""


class Engine(LocalEngine):
    """Takes the place of a launch, and only records its request."""

    def __init__(self) -> None:
        super().__init__()
        self.runs: list[RunSpec] = []

    def plan(self, request: object, script: object, env: object) -> dict[str, object]:
        return {}

    def launch(self, run: RunSpec, context: object) -> RunSpec:
        self.runs.append(run)
        raise Reached


@pytest.fixture
def engine(engines: Engines, write: Callable[[str, str], Path]) -> Engine:
    write("main.py", "")
    made = Engine()
    engines.add(made)
    return made


def refusal(call: Callable[[], object]) -> tuple[str, str]:
    with pytest.raises(BadInput) as raised:
        call()
    assert raised.value.problem
    assert raised.value.remedy
    return raised.value.problem, raised.value.remedy


@pytest.mark.parametrize("name", [row.name for row in ROWS])
def test_any_value_of_an_option_is_taken_or_refused(engine, work, name):
    row = next(row for row in ROWS if row.name == name)
    for value in ODD:
        engine.runs.clear()
        try:
            mwtutor.launch(**{"program": "main.py", name: value})
        except Reached:
            kept = getattr(engine.runs[0].request, name)
            assert row.check(kept) == kept
            made = engine.runs[0]
            assert RunSpec.from_json(json.loads(json.dumps(made.to_json()))) == made
        except MwtutorError as error:
            assert error.problem
            assert error.remedy
            assert not engine.runs
        assert not list(work.glob(".mwtutor/runs/*")), "something was left"


@pytest.mark.parametrize(
    ("options", "problem", "remedy"),
    [
        ({"keras": "4"}, "--keras cannot be '4'.", "Choose one of auto, 2, 3."),
        ({"keras": 4}, "--keras cannot be 4.", "Choose one of auto, 2, 3."),
        ({"keras": True}, "--keras cannot be True.", "Choose one of auto, 2, 3."),
        ({"comm": "RING"}, "--comm cannot be 'RING'.", "Choose one of auto, ring, nccl."),
        ({"workers": "2"}, "The number of workers cannot be '2'.", "for example 2."),
        ({"workers": True}, "The number of workers cannot be True.", "for example 2."),
        ({"timeout": NAN}, "--timeout cannot be nan.", "Write a number of seconds"),
        ({"timeout": None}, "--timeout cannot be None.", "Write a number of seconds"),
        ({"grace": math.inf}, "--grace cannot be inf.", "Write a number of seconds"),
        ({"restarts": 2.5}, "--restarts cannot be 2.5.", "Write a whole number, 0 or more."),
        ({"threads": -1}, "--threads cannot be -1.", "Write a whole number, 0 or more."),
        (
            {"env": {"SEED": 1}},
            "The variable SEED cannot be 1: its value must be text.",
            "Write '1'.",
        ),
        ({"args": "--epochs 3"}, "args cannot be '--epochs 3'.", "['--epochs', '3']"),
        ({"name": 5}, "--name cannot be 5.", "Use at most 64 letters, digits"),
        ({"cwd": "~nouser"}, "There is no directory ", "Correct --cwd."),
        (
            {"python": "/bin/true"},
            "/bin/true is not a working Python interpreter",
            ".venv/bin/python",
        ),
        (
            {"python": "/bin/echo"},
            "/bin/echo is not a working Python interpreter",
            ".venv/bin/python",
        ),
        ({"partition": "256K"}, "--partition cannot be '256K'.", "for example 256KiB"),
        ({"partition": "-1"}, "--partition cannot be '-1'.", "for example 256KiB"),
        (
            {"partition": 256},
            "%mw_launch has no --partition",
            "Give the strategy a variable_partitioner",
        ),
        ({"kears": "2"}, "launch(): got an unexpected keyword argument 'kears'", "mean keras?"),
    ],
)
def test_what_is_wrong_and_what_to_do(engine, options, problem, remedy):
    said = refusal(lambda: mwtutor.launch("main.py", **options))
    assert problem in said[0]
    assert remedy in said[1]
    assert not engine.runs


def test_what_is_meant_is_taken(engine):
    given = {"keras": 2, "args": ["--epochs", 3, Path("x")], "workers": numpy.int64(3)}
    with pytest.raises(Reached):
        mwtutor.launch(Path("main.py"), **given, timeout=30, python=sys.executable)
    made = engine.runs[0].request
    assert (made.keras, made.args, made.workers) == ("2", ("--epochs", "3", "x"), 3)
    assert (made.program, made.timeout, made.python) == ("main.py", 30.0, sys.executable)


@pytest.mark.parametrize(
    ("typed", "size"),
    [("4096", 4096), ("256KiB", 1 << 18), ("256kib", 1 << 18), ("1 MB", 10**6), ("1GiB", 1 << 30)],
)
def test_a_size_has_a_unit(typed, size):
    assert of_line("start", ["2", "--partition", typed]).partition == size
    assert LaunchRequest("", partition=typed).partition == size


def test_an_interpreter_is_found_from_where_it_was_named(engine, work):
    (work / "below").mkdir()
    (work / "tool").write_text("#!/bin/sh\nexit 0\n")
    (work / "tool").chmod(0o755)
    said, _ = refusal(lambda: mwtutor.launch("../main.py", python="./tool", cwd="below"))
    assert said == f"{work / 'tool'} is not a working Python interpreter."


def test_the_public_signature_is_the_table():
    import inspect

    parameters = inspect.signature(mwtutor.launch).parameters
    assert list(parameters) == [row.name for row in ROWS]
    assert parameters["program"].default is inspect.Parameter.empty
    assert parameters["keras"].kind is inspect.Parameter.KEYWORD_ONLY
    for row in ROWS:
        assert f"    {row.name}: " in mwtutor.launch.__doc__


# -- the same from a line ---------------------------------------------------------------------

WORDS = ["-1", "0", "2", "2.5", "nan", "inf", "RING", "ring", "host", "A", "A=b", "TF_CONFIG=", ""]


def of_line(verb: str, words: list[str]) -> LaunchRequest:
    made = {"launch": launch_request, "start": session_request}[verb]
    return made(parse(verb, words, MAGIC))


@pytest.mark.parametrize("verb", ["launch", "start"])
@pytest.mark.parametrize("row", [r for r in ROWS if r.is_flag], ids=lambda row: row.name)
def test_a_line_and_python_say_the_same(verb, row):
    if verb not in row.verbs or isinstance(row.kind, Flag):
        return
    target = ["main.py"] if verb == "launch" else []
    for text in WORDS:
        outcomes = []
        for make in (
            lambda text=text: of_line(verb, ["2", *target, f"{row.label}={text}"]),
            lambda text=text: LaunchRequest("".join(target), **{row.name: row.kind.read(text)}),
        ):
            try:
                outcomes.append(make())
            except MwtutorError as error:
                outcomes.append((error.problem, error.remedy))
        assert outcomes[0] == outcomes[1]


@pytest.mark.parametrize("style", [MAGIC, TERMINAL])
def test_help_has_every_option_with_its_choices(style):
    for verb in ("launch", "start") if style is MAGIC else ("launch",):
        text = " ".join(parser(verb, style).format_help().split())
        for row in ROWS:
            if row.is_flag:
                value = row.kind.metavar
                if isinstance(row.kind, CountOrEach):
                    value = f"[{value}]"
                assert (f"{row.label} {value}".strip() in text) == (verb in row.verbs)
                assert (style.render(row.help) in text) == (verb in row.verbs)


counts = st.integers(0, 200)
variables = st.dictionaries(
    st.from_regex(r"[A-SU-Z_]{1,5}", fullmatch=True), st.text("a =$'\"", max_size=5)
)
requests = st.builds(
    LaunchRequest,
    program=st.just("main.py"),
    workers=st.integers(1, 100),
    chief=st.booleans(),
    ps=counts,
    evaluator=st.booleans(),
    name=st.sampled_from(["", "demo"]),
    cwd=st.sampled_from(["", "a b"]),
    env=variables,
    keras=st.sampled_from(["auto", "2", "3", 2, 3]),
    threads=counts,
    cold=st.booleans(),
    timeout=st.floats(0, 1e8),
    network=st.sampled_from(["auto", "private", "host"]),
    gpus_per_worker=st.none() | counts,
    share_gpus=st.booleans(),
    comm=st.sampled_from(["auto", "ring", "nccl"]),
)


@given(requests)
def test_a_request_is_what_its_words_say(request):
    line = f"{request.workers} main.py {request.words()}"
    assert launch_request(parse("launch", split(line), MAGIC)) == request


anything = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text() | st.binary(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=5,
)


@given(st.dictionaries(st.sampled_from([row.name for row in ROWS]), anything, max_size=4))
def test_any_request_is_one_or_is_refused(options):
    try:
        made = LaunchRequest(**{"program": "main.py", **options})
    except BadInput as error:
        assert error.problem
        assert error.remedy
    else:
        assert LaunchRequest(**json.loads(json.dumps(made.to_json()))) == made


# -- what a session does not have, and other verbs ---------------------------------------------


@pytest.mark.parametrize(
    ("options", "words"),
    [
        ({"ps": 1}, "A session with parameter servers needs a chief, on which its cells run."),
        ({"partition": "1KiB"}, "--partition spreads variables over parameter servers, but"),
        ({"evaluator": True}, "A session has no evaluator"),
        ({"timeout": 5}, "%mw_start has no --timeout."),
        ({"restarts": 1}, "--restarts is for sessions with parameter servers"),
        ({"python": sys.executable}, "%mw_start has no --python."),
    ],
)
def test_a_session_says_what_it_does_not_have(engine, options, words):
    assert words in refusal(lambda: Session.start(LaunchRequest("", **options)))[0]
    assert not engine.runs


class Raises:
    """Raises an error on every access."""

    def __getattribute__(self, name: str) -> None:
        raise RuntimeError

    def asked(self, *args: object) -> None:
        raise RuntimeError

    __bool__ = __eq__ = __float__ = __fspath__ = __index__ = __iter__ = __len__ = asked
    __repr__ = __hash__ = asked


@pytest.mark.parametrize("option", [row.name for row in rows(LaunchRequest)])
def test_a_value_that_raises_when_it_is_asked_is_refused(engine, option):
    refusal(lambda: mwtutor.launch(**{"program": "main.py", "workers": 1, option: Raises()}))
    assert not engine.runs


@pytest.fixture
def run(work: Path) -> Run:
    """A run that is still running, supervised by this process."""
    from mwtutor.cluster import ClusterSpec
    from mwtutor.run.record.eventlog import EventWriter
    from mwtutor.run.record.events import RunStarted
    from mwtutor.system import processes

    (work / "logs").mkdir()
    spec = a_spec(work)
    cluster = ClusterSpec(worker=("h:1", "h:2"))
    writer = EventWriter(spec.events)
    writer.append(RunStarted(cluster, os.getpid(), processes.started_at(os.getpid()) or 0, t=1.0))
    writer.close()
    return Run(spec)


@pytest.mark.parametrize(
    "call",
    [
        lambda run: run.kill("worker:0", 999),
        lambda run: run.kill("worker:0", "TERM"),
        lambda run: run.kill("worker:0", True),
        lambda run: run.kill(5),
        lambda run: run.kill(mwtutor.TaskId([], {})),
        lambda run: run.task(None),
        lambda run: run.stacks(5),
        lambda run: run.tf_config(5.0),
        lambda run: run.wait("x"),
        lambda run: run.wait(NAN),
        lambda run: run.wait(None),
        lambda run: run.wait(-1),
        lambda run: run.wait(0.01, check="yes"),
        lambda run: run.wait(0.01, show=5),
        lambda run: run.watch("x"),
        lambda run: run.watch(timeout=NAN),
        lambda run: run.history(5),
        lambda run: run.history("loss", "x"),
        lambda run: run.history("loss", -1),
        lambda run: run.stop(5),
        lambda run: mwtutor.find(5),
        lambda run: mwtutor.find(None),
        lambda run: mwtutor.doctor("x"),
        lambda run: mwtutor.doctor(2.0),
        lambda run: mwtutor.doctor(0),
        lambda run: mwtutor.write_filepath(5).__enter__(),
        lambda run: mwtutor.parse_tf_config(5),
        lambda run: mwtutor.TaskId.parse(5),
        lambda run: mwtutor.ClusterSize("2"),
        lambda run: mwtutor.ClusterSize(2, ps=True),
        lambda run: sessions.find(5),
        lambda run: Session.start(5),
    ],
)
def test_odd_arguments_of_other_verbs_are_refused(run, call):
    refusal(lambda: call(run))
    assert run.outcome is None


@pytest.mark.parametrize(
    "call",
    [
        lambda session: session.execute(5),
        lambda session: session.execute("x", "worker:0"),
        lambda session: session.execute("x", ["worker:0"]),
        lambda session: session.execute("x", 5),
        lambda session: session.execute("x", scope=1),
        lambda session: session.execute("x", export=None),
        lambda session: session.execute("x", count="3"),
        lambda session: session.push(5),
        lambda session: session.push(["x"]),
        lambda session: session.push({1: 2}),
        lambda session: session.push({"a b": 2}),
        lambda session: session.pull("history"),
        lambda session: session.pull(5),
        lambda session: session.pull([5]),
        lambda session: session.pull(["x"], "worker:0"),
        lambda session: session.export(5),
    ],
)
def test_odd_arguments_of_a_session_are_refused(call):
    session = Session(LaunchRequest(""))
    refusal(lambda: call(session))

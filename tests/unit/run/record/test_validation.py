"""Run directories as found: whole, damaged, unreadable, another user's."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from mwtutor import find_runs
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.display.panel.listing import Listing
from mwtutor.exceptions import NoRun
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import Store
from mwtutor.run.run import Run
from tests.support.runs.specs import a_spec

#: The end of the run, so that no test searches for its processes.
ENDED = {"event": "run_ended", "t": 4.0, "status": "succeeded", "reason": ""}


def ended_run(base: Path, name: str = "main") -> RunSpec:
    directory = Store(base).new(name)
    spec = a_spec(
        directory,
        id=directory.name,
        name=name,
        args=("--epochs", "3"),
        cwd=str(base),
        keras="Keras 3",
        created=1e9,
        task_env={"worker:0": {"CUDA_VISIBLE_DEVICES": "0"}},
        launcher=(os.getpid(), 1e9),
    )
    spec.save()
    spec.events.write_text(json.dumps(ENDED) + "\n")
    return spec


def test_what_was_written_is_read(tmp_path):
    spec = ended_run(tmp_path)
    assert Run.open(spec.directory).spec == spec
    assert Run.open(spec.directory).outcome.ok


#: A value nested deeper than Python's own stack.
DEEP = "in all depth"

numbers = st.integers() | st.floats() | st.just(10**400)
odd = st.recursive(
    st.none() | st.booleans() | numbers | st.text() | st.sampled_from(["kernel", "\0", DEEP]),
    lambda inner: st.lists(inner, max_size=2) | st.dictionaries(st.text(), inner, max_size=2),
    max_leaves=4,
)
ways = st.lists(
    st.integers(0, 30)
    | st.sampled_from(["request", "program", "args", "env", "workers", "created"]),
    max_size=4,
)


def damage(data: object, way: list[object], value: object) -> object:
    """The data with one place replaced: where the path leads, by keys and indexes."""
    if not way or not isinstance(data, (dict, list)) or not data:
        return value
    step, *rest = way
    if isinstance(data, list):
        at = step % len(data) if isinstance(step, int) else 0
        return [damage(one, rest, value) if at == i else one for i, one in enumerate(data)]
    key = step if step in data else list(data)[step % len(data) if isinstance(step, int) else 0]
    return {**data, key: damage(data[key], rest, value)}


@settings(max_examples=50)
@given(ways, odd)
@example(["created"], float("nan"))
@example(["created"], float("inf"))
@example(["created"], 10**400)
@example(["created"], DEEP)
@example(["request"], None)
@example(["request", "keras"], "zip")
@example(["request", "args"], [1, None])
@example(["request", "program"], "s-\0")
@example(["request", "workers"], True)
@example(["request", "name"], 5)
@example(["request", "env"], {"A;B": "1"})
@example(["sockets"], 5)
@example(["id"], "\ud800")
@example([], None)
def test_a_damaged_run_json_is_no_run_or_can_be_shown(way, value):
    with tempfile.TemporaryDirectory() as base:
        spec = ended_run(Path(base))
        whole = ended_run(Path(base), "whole")
        written = json.dumps(damage(spec.to_json(), way, value))
        deep = "[" * 100_000 + "]" * 100_000
        Path(spec.directory, "run.json").write_text(written.replace(f'"{DEEP}"', deep))
        known = find_runs.runs(Store(Path(base)))
        found = [run for run in known if run.directory.is_relative_to(base)]
        assert whole.path in [run.directory for run in found]
        assert repr(Listing(found))
        for run in found:
            assert text.render(report(run.spec, run.state))


@pytest.mark.parametrize("way", [["request", "env"], ["task_env", "worker:0"]])
def test_a_variable_whose_name_a_shell_would_execute_is_damage(tmp_path, way):
    spec = ended_run(tmp_path)
    data = damage(spec.to_json(), way, {"A;touch x;B": "1"})
    Path(spec.directory, "run.json").write_text(json.dumps(data))
    with pytest.raises(NoRun, match="damaged"):
        Run.open(spec.directory)


@given(st.binary(max_size=40))
def test_what_is_no_json_is_no_run(content):
    with tempfile.TemporaryDirectory() as base:
        Path(base, "run.json").write_bytes(content)
        with pytest.raises(NoRun, match=r"damaged, or was written by another version") as raised:
            Run.open(base)
        assert raised.value.remedy


@pytest.mark.parametrize("name", ["/elsewhere/x", "../../x", "a/b", "", ".", "x" * 65, "a\nb"])
@pytest.mark.parametrize("field", ["name", "id"])
def test_a_name_that_no_launch_accepts_is_no_run(tmp_path, name, field):
    spec = ended_run(tmp_path)
    data = spec.to_json()
    if field == "name":
        data["request"]["name"] = name
    elif name in ("", "x" * 65):
        pytest.skip("an id may be empty or longer")
    else:
        data["id"] = name
    Path(spec.directory, "run.json").write_text(json.dumps(data))
    with pytest.raises(NoRun, match="damaged"):
        Run.open(spec.directory)


def test_where_there_is_none_or_a_pipe_lies_in_its_place(tmp_path):
    with pytest.raises(NoRun, match="There is no run in"):
        Run.open(tmp_path / "nowhere")
    spec = ended_run(tmp_path)
    spec.events.unlink()
    os.mkfifo(spec.events)
    with pytest.raises(NoRun, match="Not a regular file"):
        Run.open(spec.directory)

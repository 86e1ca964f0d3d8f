"""``main()`` with something in its way: closed files, full devices, terminals of few letters."""

from __future__ import annotations

import json
from pathlib import Path

import matplotlib.figure  # noqa: F401 - before a test becomes a user who cannot look for it
import pytest

import mwtutor.diagnosis.checks
import mwtutor.display.plot  # noqa: F401
from mwtutor.cli import main
from mwtutor.cluster import ClusterSize
from mwtutor.run.request import Program
from mwtutor.run.spec import RunSpec
from mwtutor.run.store import Store
from tests.users import as_user, open_to_all

EVENTS = (
    {"event": "run_started", "t": 1.0, "pid": 1, "started": 1.0, "control": "",
     "cluster": {"worker": ["127.0.0.1:1"]}},
    {"event": "progress", "task": "worker:0", "t": 2.0, "step": 1, "metrics": {"loss": 1.0}},
    {"event": "run_ended", "t": 4.0, "status": "failed", "reason": "of this",
     "culprit": "worker:0"},
)  # fmt: skip


@pytest.fixture
def ended(work: Path) -> RunSpec:
    """A run that has ended, in the present directory."""
    directory = Store().new("main")
    spec = RunSpec(
        directory.name, "main", str(directory), Program("script", "main.py"), ClusterSize(1),
        str(work), "", True, "", "", 0, 0, 1e9,
    )  # fmt: skip
    spec.save()
    spec.events.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    task = next(iter(ClusterSize(1).at(["h:1"]).tasks()))
    spec.log(task).write_text("said\n")
    spec.tf_config(task).write_text("{}")
    return spec


LOOKING = ("status", "logs", "wait", "stop", "config", "plot", "kill worker:0", "stacks worker:0")


def as_user_in(work: Path, line: str):
    open_to_all(work)
    return as_user(lambda: main(line.split()))


def assert_two_sentences(done, words: str) -> None:
    assert "Traceback" not in done.stderr, done.stderr
    assert done.code == 2
    problem, remedy = done.stderr.splitlines()
    assert problem.startswith("mwtutor: ")
    assert words in problem
    assert remedy


@pytest.mark.parametrize("what", ["", "run.json", "events.jsonl", "..", "../.."])
def test_another_users_run_is_not_looked_at(ended, work, what):
    closed = Path(ended.directory, what).resolve()
    if closed.is_file():
        ended.path.chmod(0o755)
    mode = closed.stat().st_mode
    closed.chmod(0)
    try:
        for line in LOOKING:
            assert_two_sentences(as_user_in(work, line), "no run that you may look at")
        done = as_user_in(work, "runs")
        assert (done.code, done.stderr) == (0, "")
    finally:
        closed.chmod(mode)


def test_a_launch_beside_another_users_runs_is_refused(ended, work, write):
    write("main.py", "")
    assert_two_sentences(as_user_in(work, "launch 2 main.py"), "cannot be written: Permission")
    assert [path.name for path in ended.path.parent.iterdir()] == [ended.id]


def test_a_closed_log_is_said_to_be_one_and_the_rest_is_shown(ended, work):
    ended.path.chmod(0o755)
    ended.path.joinpath("logs").chmod(0)
    try:
        assert_two_sentences(as_user_in(work, "logs"), "cannot be read: Permission denied")
        done = as_user_in(work, "status")
        assert (done.code, done.stderr) == (1, "")
        assert "of this" in done.stdout
    finally:
        ended.path.joinpath("logs").chmod(0o755)

"""``main()`` in difficult conditions: closed files, full devices, terminals with few characters."""

from __future__ import annotations

import email.parser  # noqa: F401 - before a test becomes a user who cannot read it
import json
import os
import re
import shlex
import shutil
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pexpect
import pytest

from mwtutor.cli import main
from mwtutor.cluster import ClusterSize, ClusterSpec, TaskId
from mwtutor.run.record.events import Progress, RunEnded, RunStarted
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.store import Store
from tests.support.machines.disks import fill, make_read_only, small_disk
from tests.support.machines.users import as_user, open_to_all
from tests.support.runs.specs import a_spec

PYPROJECT = Path(__file__).parents[2] / "pyproject.toml"
COMMAND = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]

W0 = TaskId("worker", 0)
EVENTS = (
    RunStarted(ClusterSpec(worker=("127.0.0.1:1",)), 1, t=1.0).record(),
    Progress(W0, t=2.0, step=1, metrics={"loss": 1.0}).record(),
    RunEnded("failed", "of this", W0, t=4.0).record(),
)


@pytest.fixture
def ended(work: Path) -> RunSpec:
    return a_run_that_has_ended()


def a_run_that_has_ended() -> RunSpec:
    """A run in the current directory that has ended."""
    directory = Store().new("main")
    inode = directory.stat().st_ino
    spec = a_spec(
        directory, id=directory.name, workers=1, cwd=os.getcwd(), created=1e9, inode=inode
    )
    spec.save()
    spec.events.write_text("".join(json.dumps(event) + "\n" for event in EVENTS))
    task = next(iter(ClusterSize(1).at(["h:1"]).tasks()))
    spec.log(task).write_text("said\n")
    spec.tf_config(task).write_text("{}")
    return spec


LOOKING = ("status", "logs", "wait", "stop", "config", "plot", "kill worker:0", "stacks worker:0")


@pytest.mark.parametrize(
    ("typed", "remedy"),
    [
        ("lauch", "Did you mean mwtutor launch? mwtutor --help lists the commands."),
        ("staus", "Did you mean mwtutor status? mwtutor --help lists the commands."),
        ("--verbose", "mwtutor --help lists the commands."),
    ],
)
def test_a_misspelled_command_is_told_which_is_meant(capsys, typed, remedy):
    assert main([typed, "2", "main.py"]) == 2
    assert capsys.readouterr().err == f"mwtutor: There is no command {typed!r}.\n{remedy}\n"


@pytest.mark.parametrize(
    ("words", "same"), [(["help"], ["--help"]), (["help", "stop"], ["stop", "--help"])]
)
def test_help_is_a_command_as_well(capsys, words, same):
    assert main(words) == main(same) == 0
    shown = capsys.readouterr().out
    assert shown[: len(shown) // 2] == shown[len(shown) // 2 :]


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
            assert_two_sentences(as_user_in(work, line), "no run that you may read")
        done = as_user_in(work, "runs")
        assert (done.code, done.stderr) == (0, "")
        assert done.stdout == "There are no runs here that you may read.\n"
    finally:
        closed.chmod(mode)


def test_a_launch_beside_another_users_runs_is_refused(ended, work, write):
    write("main.py", "")
    store = ended.path.parent.parent
    store.chmod(0o555)
    done = as_user_in(work, "launch 2 main.py --cold")
    store.chmod(0o755)
    assert_two_sentences(done, "cannot be written: Permission")
    assert [path.name for path in ended.path.parent.iterdir()] == [ended.id]


def test_a_closed_log_is_said_to_be_one_and_the_rest_is_shown(ended, work):
    ended.path.chmod(0o755)
    ended.file.chmod(0o644)  # an administrator's copy, perhaps
    ended.path.joinpath("logs").chmod(0)
    try:
        assert_two_sentences(as_user_in(work, "logs"), "cannot be read: Permission denied")
        done = as_user_in(work, "status")
        assert (done.code, done.stderr) == (1, "")
        assert "of this" in done.stdout
    finally:
        ended.path.joinpath("logs").chmod(0o755)


def complaint(capsys: pytest.CaptureFixture[str]) -> tuple[str, str]:
    problem, remedy = capsys.readouterr().err.splitlines()
    return problem, remedy


def test_a_curve_that_cannot_be_written_is_said_and_nothing_is_left(ended, tmp_path, capsys):
    with small_disk(tmp_path / "disk", 40) as disk:
        shutil.copytree(".mwtutor", disk / ".mwtutor")
        os.chdir(disk)
        fill(disk, leave=2)
        before = sorted(os.listdir())
        assert main(["plot"]) == 2
        problem, remedy = complaint(capsys)
        assert problem == "mwtutor: main-loss.png cannot be written: No space left on device."
        assert remedy
        make_read_only(disk)
        assert main(["plot"]) == 2
        assert "Read-only file system" in complaint(capsys)[0]
        assert sorted(os.listdir()) == before


def test_a_curve_in_a_directory_that_may_only_be_read(ended, work):
    import matplotlib.figure  # noqa: F401 - the user may not be able to read it

    for path in (ended.path, *ended.path.rglob("*")):
        path.chmod(0o755)
    open_to_all(work)
    work.chmod(0o555)
    done = as_user(lambda: main(["plot"]))
    work.chmod(0o755)
    assert_two_sentences(done, "main-loss.png cannot be written: Permission denied")


def test_what_cannot_be_removed_is_not_said_to_be(work, tmp_path, capsys):
    with small_disk(tmp_path / "disk", 40) as disk:
        os.chdir(disk)
        a_run_that_has_ended()
        make_read_only(disk)
        assert main(["runs", "--clean"]) == 2
        problem, remedy = complaint(capsys)
        assert "1 of 1 runs that had ended could not be removed: Read-only" in problem
        assert remedy


@pytest.fixture(params=["", "1"], ids=["buffered", "unbuffered"])
def command(request, monkeypatch) -> list[str]:
    monkeypatch.setenv("PYTHONUNBUFFERED", request.param)
    return COMMAND


def at_once(command: list[str], *lines: str, **how: Any) -> Iterator[tuple[str, int, str, str]]:
    """Each line with its process's status, output and errors; all start at the same time."""
    started = [
        (
            line,
            subprocess.Popen([*command, *line.split()], stderr=subprocess.PIPE, text=True, **how),
        )
        for line in lines
    ]
    for line, process in started:
        with process:
            out, err = process.communicate()
        yield line, process.returncode, out or "", err


def test_an_output_that_is_full(ended, command):
    with open("/dev/full", "w") as full:
        verbs = ("status", "logs", "runs", "--help", "status --help")
        for verb, status, _, errors in at_once(command, *verbs, stdout=full):
            assert status == 2, verb
            problem, remedy = errors.splitlines()
            assert problem == "mwtutor: The output cannot be written: No space left on device."
            assert remedy, verb


def test_an_output_and_an_error_output_that_are_full(ended, command):
    with open("/dev/full", "w") as full:
        assert subprocess.run([*command, "status"], stdout=full, stderr=full).returncode == 2
        assert subprocess.run([*command, "fly"], stderr=full).returncode == 2


def test_an_output_that_nobody_reads(ended, command):
    reader, writer = os.pipe()
    os.close(reader)
    for verb, status, _, errors in at_once(
        command, "status", "logs", "runs", "--help", stdout=writer
    ):
        assert (status, errors) == (130, ""), verb
    os.close(writer)


def test_an_output_that_is_closed(ended):
    words = shlex.join([*COMMAND, "status"])
    for closed in (">&-", "2>&-", "<&- >&- 2>&-"):
        done = subprocess.run(["sh", "-c", f"{words} {closed}"], capture_output=True, text=True)
        assert (done.returncode, done.stderr) == (1, ""), closed


@pytest.mark.parametrize(
    ("name", "value", "colored"),
    [("NO_COLOR", "", True), ("NO_COLOR", "1", False), ("TERM", "dumb", False)],
)
def test_a_terminal_that_should_have_no_colors_gets_none(ended, name, value, colored):
    env = {**os.environ, name: value}
    shown = pexpect.run(shlex.join([*COMMAND, "status"]), env=env).decode()
    assert "main: " in shown
    assert ("\x1b[" in shown) == colored


@pytest.mark.parametrize(
    "env",
    [
        {"PYTHONIOENCODING": "ascii"},
        {"PYTHONIOENCODING": "latin-1"},
        {"LC_ALL": "C", "PYTHONCOERCECLOCALE": "0", "PYTHONUTF8": "0"},
    ],
)
def test_a_terminal_of_few_characters(ended, env):
    task = ended.path / "logs" / "worker-0.log"
    task.write_text("größer 五 👍 · …\n")
    how = {"env": {**os.environ, **env}, "stdout": subprocess.PIPE, "encoding": "latin-1"}
    (_, *shown), (_, *lines) = at_once(COMMAND, "status", "logs", **how)
    assert (shown[0], shown[2]) == (1, "")
    assert (lines[0], lines[2]) == (0, "")
    assert r"\u4e94 \U0001f44d" in lines[1]


def test_ctrl_c_while_it_is_imported_ends_it_without_a_word(work, write):
    write("psutil.py", "print('importing', flush=True)\nimport time\ntime.sleep(60)")
    entry = re.search(r'^mwtutor = "(.+):(.+)"$', PYPROJECT.read_text(), re.MULTILINE)
    module, function = entry.groups()
    source = f"import sys; from {module} import {function}; sys.exit({function}())"
    with subprocess.Popen(
        [sys.executable, "-c", source, "runs"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
    ) as process:
        assert process.stdout.readline() == "importing\n"
        process.send_signal(signal.SIGINT)
        assert process.communicate(timeout=30) == ("", "")
    assert process.returncode == 130


def test_remedies_are_typed_as_in_a_terminal(ended, capsys):
    assert main(["status", "missing"]) != 0
    said = capsys.readouterr().err
    assert "mwtutor runs lists" in said
    assert "%mw" not in said
    assert main(["wait", "main"]) == 1
    said = capsys.readouterr().err
    assert "%mw" not in said
    assert "in a terminal" not in said

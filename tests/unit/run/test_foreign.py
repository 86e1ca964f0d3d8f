"""Run directories that somebody else wrote: they can be shown, but not acted upon."""

from __future__ import annotations

import json
import os
import shutil
import socket
import subprocess
import sys
import tempfile
import warnings
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path

import pytest

from mwtutor import launcher
from mwtutor.cli import main
from mwtutor.cluster import ClusterSpec, TaskId
from mwtutor.exceptions import NoRun
from mwtutor.run.record.eventlog import EventWriter
from mwtutor.run.record.events import RunEnded, RunStarted, TaskStarted
from mwtutor.run.record.spec import MARKER, RunSpec
from mwtutor.run.record.store import KEPT, Store
from mwtutor.run.run import Run
from mwtutor.system import processes
from tests.support.machines.network import in_a_fork
from tests.support.runs.directories import a_run, dead, supervised_by

NOBODY = 65534


@dataclass
class Victim:
    """The user's own files and processes, named in a log that the user did not write."""

    file: Path
    process: subprocess.Popen[bytes]
    socket: socket.socket

    def check(self) -> None:
        assert self.file.read_text() == "precious"
        assert self.process.poll() is None
        with pytest.raises(BlockingIOError):
            self.socket.accept()


@pytest.fixture
def victim(work: Path) -> Iterator[Victim]:
    with ExitStack() as stack:
        file = work / "precious.txt"
        file.write_text("precious")
        listening = stack.enter_context(socket.socket(socket.AF_UNIX))
        directory = stack.enter_context(tempfile.TemporaryDirectory(dir="/tmp"))
        listening.bind(f"{directory}/c.sock")
        listening.listen()
        listening.setblocking(False)
        env = {**os.environ, MARKER: "20260101-000000-000-evil"}
        process = subprocess.Popen(["sleep", "600"], env=env, start_new_session=True)
        stack.callback(process.wait)
        stack.callback(process.kill)
        yield Victim(file, process, listening)


def written_by_an_attacker(victim: Victim, control: str) -> RunSpec:
    """A run that was still running when its log ended, and whose files name the victim's."""
    made = a_run()
    path = made.path.with_name("20260101-000000-000-evil")
    made.path.rename(path)
    spec = RunSpec.from_json({**made.to_json(), "id": path.name, "directory": str(path)})
    spec.save()
    pid, born = victim.process.pid, processes.started_at(victim.process.pid)
    task = TaskStarted(TaskId("worker", 0), 1, pid, born)
    supervised_by(spec, *dead(), task)
    started = RunStarted(ClusterSpec(worker=("h:1",)), pid, born).record()
    # Earlier versions trusted such logs: they removed, signaled or connected to what these fields
    # name.
    forged = ({**event, "started": born, "control": control} for event in (started, task.record()))
    with spec.events.open("a") as log:
        log.writelines(f"{json.dumps(event)}\n" for event in forged)
    return spec


def copied(spec: RunSpec) -> None:
    """A copy of the run, as in a cloned repository."""
    shutil.copytree(spec.path, spec.path.with_name("copy"))
    shutil.rmtree(spec.path)
    spec.path.with_name("copy").rename(spec.path)


def in_a_shared_directory(spec: RunSpec) -> None:
    spec.path.parent.chmod(0o775)


def shared_itself(spec: RunSpec) -> None:
    spec.path.chmod(0o777)


def with_a_shared_log(spec: RunSpec) -> None:
    spec.events.chmod(0o666)


def of_another_user(spec: RunSpec) -> None:
    if os.getuid():
        pytest.skip("only root can give files away")
    for path in (spec.path, *spec.path.rglob("*")):
        os.chown(path, NOBODY, NOBODY)


def in_a_directory_of_another_user(spec: RunSpec) -> None:
    if os.getuid():
        pytest.skip("only root can give files away")
    os.chown(spec.path.parent, NOBODY, NOBODY)


WAYS = [copied, in_a_shared_directory, shared_itself, with_a_shared_log,
        of_another_user, in_a_directory_of_another_user]  # fmt: skip


def contents(directory: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in directory.rglob("*") if path.is_file()}


def look_in_every_way(directory: Path, shown: Callable[[], str]) -> None:
    """Every command that could do harm; its messages do not matter here."""
    before = contents(directory)
    for verb in (["runs"], ["status"], ["logs"], ["config"], ["stop"], ["stop", "--all"],
                 ["kill", "worker:0"], ["stacks", "worker:0"], ["runs", "--clean"]):  # fmt: skip
        main(verb)
    assert "foreign" in shown()
    assert main(["stop", "--all"]) == 0, "it passes over what is not the user's to stop"
    run = Run.open(directory)
    assert run.state.status == "foreign"
    for act in (run.stop, lambda: run.kill("worker:0"), lambda: run.stacks("worker:0")):
        with pytest.raises(NoRun, match="is read-only"):
            act()
    assert not launcher.devices_in_use()
    assert launcher._stop_namesake("main", Store()) is None
    launcher._prune(Store())
    assert contents(directory) == before, "nothing is written, and nothing removed"


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("named", ["file", "socket"])
def test_looking_at_it_harms_nothing(victim, way, named, capsys, monkeypatch):
    control = str(victim.file) if named == "file" else victim.socket.getsockname()
    spec = written_by_an_attacker(victim, control)
    way(spec)
    look_in_every_way(spec.path, lambda: capsys.readouterr().out)
    victim.check()


@pytest.mark.parametrize("way", [copied, in_a_shared_directory])
@pytest.mark.usefixtures("work")  # the runs of other tests belong to root
def test_an_ordinary_user_who_looks_harms_nothing(way):
    if os.getuid():
        pytest.skip("the tests are those of an ordinary user already")

    def look() -> str:
        os.setgroups([])
        os.setgid(NOBODY)
        os.setuid(NOBODY)
        os.environ.pop("XDG_RUNTIME_DIR", None)
        os.chdir(place)
        with subprocess.Popen(["sleep", "60"], start_new_session=True) as process:
            with socket.socket(socket.AF_UNIX) as listening:
                listening.bind("c.sock")
                listening.listen()
                listening.setblocking(False)
                Path("precious").write_text("precious")
                victim = Victim(Path("precious"), process, listening)
                spec = written_by_an_attacker(victim, os.path.join(place, "precious"))
                way(spec)
                look_in_every_way(spec.path, lambda: "foreign")
                victim.check()
            process.kill()
        return "unharmed"

    with tempfile.TemporaryDirectory(dir="/tmp") as place, warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        os.chown(place, NOBODY, NOBODY)
        assert in_a_fork(look) == "unharmed"


def test_an_ended_run_of_another_is_neither_pruned_nor_cleaned(work, capsys):
    for _ in range(KEPT + 3):
        spec = a_run()
        writer = EventWriter(spec.events)
        writer.append(RunEnded("succeeded", "", t=1.0))
        writer.close()
        copied(spec)
    launcher._prune(Store())
    assert launcher.clean() == 0
    assert len(list(Store().directories())) == KEPT + 3
    main(["runs"])
    assert capsys.readouterr().out.count("succeeded (read-only)") == KEPT + 3


def test_a_run_of_ours_is_not_foreign_wherever_it_is_moved_to(work):
    spec = a_run()
    assert not Run.open(spec.path).is_foreign
    (work / "kept").mkdir(mode=0o755)
    moved = spec.path.rename(work / "kept" / "result")
    assert not Run.open(moved).is_foreign


def test_a_store_is_made_private_whatever_the_umask(work):
    before = os.umask(0o000)
    try:
        assert not Run.open(a_run().path).is_foreign
        Store().root.chmod(0o777)
        (Store().root / "runs").chmod(0o777)
        assert not Run.open(a_run().path).is_foreign, "and mended where it was not"
    finally:
        os.umask(before)


def test_a_pipe_or_a_link_in_the_place_of_a_log_is_not_opened(work):
    spec = a_run()
    os.mkfifo(spec.events)
    with pytest.raises(NoRun, match="Not a regular file"):
        Run.open(spec.path)
    spec.events.unlink()
    spec.events.symlink_to("elsewhere")
    with pytest.raises(NoRun, match=r"events\.jsonl is a link"):
        Run.open(spec.path)


PIPES = {
    "run.json": ("status", "no run"),
    "events.jsonl": ("status", "no run"),
    "logs/worker-0.log": ("logs", "Not a regular file"),
    "logs/worker-0.idx": ("logs", ""),
    "tf_config/worker-0.json": ("config", "Not a regular file"),
}


@pytest.mark.parametrize("file", PIPES)
def test_a_pipe_in_the_place_of_any_file_keeps_nobody_waiting(work, file):
    spec = a_run()
    supervised_by(spec, *dead())
    spec.log(TaskId("worker", 0)).write_text("said\n")
    spec.path.joinpath(file).unlink(missing_ok=True)
    os.mkfifo(spec.path / file)
    verb, words = PIPES[file]
    code = "from mwtutor.cli import main; import sys; sys.exit(main(sys.argv[1:]))"
    which = [spec.name] if verb == "status" else ["--name", spec.name]
    done = subprocess.run(
        [sys.executable, "-c", code, verb, *which], capture_output=True, text=True, timeout=30
    )
    assert words in done.stderr
    assert "Traceback" not in done.stderr

"""Transport, control, store, runtime directory, metrics, processes, and the environment check."""

from __future__ import annotations

import json
import os
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import psutil
import pytest

import mwtutor
from mwtutor import launcher, metrics
from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.engines.environment import (
    Fingerprint,
    import_time_changes,
    import_time_settings,
)
from mwtutor.engines.local import control_path
from mwtutor.exceptions import BadInput, NoRun, NotSupported
from mwtutor.run import control
from mwtutor.run.request import Program
from mwtutor.run.run import Run
from mwtutor.run.spec import RunSpec
from mwtutor.run.status import Status
from mwtutor.run.store import KEPT, Store
from mwtutor.supervisor.orders import Orders
from mwtutor.supervisor.task import TaskProcess
from mwtutor.system import processes, transport
from mwtutor.system import runtime_dir as runtime_dir_module
from mwtutor.system.runtime_dir import runtime_dir


def test_public_names():
    assert sorted(mwtutor.__all__) == sorted(mwtutor._PUBLIC)
    assert all(callable(getattr(mwtutor, name)) for name in mwtutor.__all__)
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = mwtutor.nothing


def test_importing_costs_no_tensorflow():
    heavy = "print(sorted(set(sys.modules) & {'tensorflow', 'keras', 'numpy', 'matplotlib'}))"
    names = "import mwtutor, mwtutor.cli, mwtutor.launcher, mwtutor.magics.runs"
    done = subprocess.run(
        [sys.executable, "-c", f"import sys; {names}; {heavy}"], capture_output=True, text=True
    )
    assert done.stdout == "[]\n", done.stderr


def test_messages_travel_whole_with_their_files(tmp_path):
    here, there = socket.socketpair()
    message = {"text": "ü" * 200_000}
    with here, there, open(os.devnull) as file:
        sender = threading.Thread(target=transport.send, args=(here, message, [file.fileno()]))
        sender.start()
        received, fds = transport.receive(there, max_fds=1)
        sender.join()
        assert received == message
        assert os.path.sameopenfile(fds[0], file.fileno())
        os.close(fds[0])
        here.close()
        with pytest.raises(transport.Disconnected):
            transport.receive(there)


def test_orders_are_answered_and_rubbish_is_survived(tmp_path):
    path = tmp_path / "c.sock"
    server = control.ControlServer(path, lambda order: {"got": order["verb"]})
    assert path.stat().st_mode & 0o077 == 0

    with socket.socket(socket.AF_UNIX) as rude:
        rude.connect(str(path))
        rude.sendall(b"\xff not json")
        server.serve_one()
    answering = threading.Thread(target=lambda: _serve_when_asked(server))
    answering.start()
    assert control.order(str(path), verb="ping") == {"got": "ping"}
    answering.join()
    server.close()
    assert not path.exists()
    with pytest.raises(NoRun, match="does not answer"):
        control.order(str(path), verb="ping")


def _serve_when_asked(server: control.ControlServer) -> None:
    import select

    select.select([server], [], [], 10)
    server.serve_one()


def test_the_store_makes_private_directories_that_git_ignores(tmp_path):
    store = Store(tmp_path)
    first, second = store.new("main"), store.new("main")
    assert first != second
    assert first.stat().st_mode & 0o077 == 0
    assert (tmp_path / ".mwtutor" / ".gitignore").read_text() == "*\n"
    assert list(store.directories()) == [], "without a run.json it is not a run"
    (second / "run.json").write_text("{}")
    assert list(store.directories()) == [second]


def test_a_name_is_claimed_by_one_at_a_time(tmp_path):
    seen: list[str] = []

    def claim(words: str) -> None:
        with Store(tmp_path).claim("main"):
            seen.append(words)

    waiting = threading.Thread(target=claim, args=["second"])
    with Store(tmp_path).claim("main"):
        waiting.start()
        with Store(tmp_path).claim("other"):
            time.sleep(0.1)
        seen.append("first")
    waiting.join()
    assert seen == ["first", "second"]


@pytest.mark.skipif(os.getuid() == 0, reason="root may write everywhere")
def test_a_directory_that_cannot_be_written_is_refused(tmp_path):
    tmp_path.chmod(0o500)
    with pytest.raises(BadInput, match="cannot be written"):
        Store(tmp_path).new("main")


def test_a_file_in_the_way_of_the_store_is_refused(tmp_path):
    (tmp_path / ".mwtutor").write_text("")
    with pytest.raises(BadInput, match="cannot be written"):
        Store(tmp_path).new("main")


def test_sockets_fit_and_are_private(monkeypatch, tmp_path):
    monkeypatch.delenv("XDG_RUNTIME_DIR", raising=False)
    directory = runtime_dir()
    assert len(str(directory)) < 75
    assert directory.stat().st_mode & 0o777 == 0o700


@pytest.fixture
def short():
    """A directory with a short path, for directories with long ones."""
    with tempfile.TemporaryDirectory(dir="/tmp") as made:
        yield Path(made)


@pytest.fixture
def places(monkeypatch, short):
    """Two directories: one for XDG_RUNTIME_DIR, one for temporary files."""
    xdg, tmp = short / "x", short / "t"
    for path in (xdg, tmp):
        path.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(xdg))
    monkeypatch.setattr(tempfile, "tempdir", str(tmp))
    return xdg, tmp


@pytest.mark.parametrize("letter", ["x", "ü"])
def test_a_control_socket_fits_whatever_its_run_is_called(work, monkeypatch, short, letter):
    base = short / (letter * (61 - len(str(short))))
    base.mkdir()
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(base))
    runs = [Run.open(_a_run(work, name)).spec for name in ("a" * 64, "a" * 63)]
    paths = {control_path(run) for run in runs for _ in range(2)}
    assert len(paths) == len(runs), "its own for each run, and always the same"
    for path in paths:
        control.ControlServer(path, dict).close()


def _a_run(work, name):
    directory = Store(work).new(name)
    RunSpec(
        id=directory.name, name=name, directory=str(directory), program=Program("script", "m.py"),
        size=ClusterSize(2), cwd=str(work), python="", warm=True, why_cold="", keras="",
        timeout=0.0, grace=0.0, created=0.0,
    ).save()  # fmt: skip
    return directory


@pytest.mark.parametrize("in_the_way", ["file", "dangling", "another's", "unwritable"])
def test_where_one_private_directory_cannot_be_another_is(places, monkeypatch, in_the_way):
    """Anybody can put something in a directory for temporary files."""
    xdg, tmp = places
    usual = [xdg / "mwtutor", tmp / f"mwtutor-{os.getuid()}"]
    for path in usual:
        if in_the_way == "file":
            path.touch()
        elif in_the_way == "dangling":
            path.symlink_to("nowhere")
        elif in_the_way == "another's":
            path.symlink_to("/tmp")
        else:
            monkeypatch.setattr(Path, "mkdir", _refusing(Path.mkdir, usual))
    found = runtime_dir()
    assert found == tmp / f"mwtutor-{os.getuid()}-1"
    assert found == runtime_dir(), "all processes must agree on it"
    assert found.stat().st_mode & 0o777 == 0o700
    assert (found / "c").write_text("") == 0


def _refusing(mkdir, those):
    def refuse(path, *args, **kwargs):
        if path in those:
            raise PermissionError(13, "Permission denied")
        mkdir(path, *args, **kwargs)

    return refuse


def test_no_place_for_sockets_is_said_in_words(monkeypatch):
    monkeypatch.setattr(runtime_dir_module, "_is_private", lambda path: False)
    with pytest.raises(NotSupported, match="no place") as raised:
        runtime_dir()
    assert "XDG_RUNTIME_DIR" in raised.value.remedy


@pytest.mark.parametrize("base", ["sockets", "/sys", "/nowhere", "/tmp/" + "x" * 64])
def test_a_runtime_directory_that_cannot_be_used_is_passed_over(places, monkeypatch, base):
    monkeypatch.setenv("XDG_RUNTIME_DIR", base)
    assert runtime_dir().parent == places[1]


def test_metrics_never_block_and_never_break(monkeypatch):
    read, write = os.pipe()
    channel = metrics.Channel(write)
    start = time.monotonic()
    for _ in range(2000):
        channel.send("progress", text="x" * 100)
    os.close(read)
    channel.send("progress")
    assert time.monotonic() - start < 5
    os.close(write)


def test_an_event_that_does_not_fit_is_not_sent():
    read, write = os.pipe()
    channel = metrics.Channel(write)
    channel.send("progress", text="x" * 5000)
    channel.send("serving")
    assert os.read(read, 9000) == b'{"event": "serving"}\n'
    os.close(read)
    os.close(write)


def test_what_waits_is_not_sent_after_what_is_newer(monkeypatch):
    read, write = os.pipe()
    monkeypatch.setattr(metrics, "_channel", metrics.Channel(write))
    monkeypatch.setattr(metrics, "_last_sent", time.monotonic())
    metrics.epoch_ended(epoch=1)
    metrics.progress(epoch=2)
    metrics.flush()
    sent = [json.loads(line)["epoch"] for line in os.read(read, 9000).splitlines()]
    assert sent == [2]
    os.close(read)
    os.close(write)


def test_a_report_outside_a_run_does_nothing():
    mwtutor.report(1, loss=object())


def test_only_numbers_are_metrics():
    kept = metrics._numbers(
        {"loss": 1 / 3, "name": "x", "none": None, "nan": float("nan"), "big": 10**400}
    )
    assert kept["loss"] == 0.3333333
    assert set(kept) == {"loss", "nan"}
    json.dumps(kept)


def test_a_process_is_known_by_its_pid_and_its_start():
    with subprocess.Popen(["sleep", "60"]) as process:
        started = processes.started_at(process.pid)
        assert processes.alive(process.pid, started)
        assert not processes.alive(process.pid, started - 100)
        process.kill()
        process.wait()
    assert not processes.alive(process.pid, started)


def test_only_the_very_process_is_told_to_end():
    with subprocess.Popen(["sleep", "60"]) as process:
        started = processes.started_at(process.pid)
        assert not processes.terminate(process.pid, started - 100)
        assert not processes.terminate(0, 0.0)
        assert process.poll() is None
        assert processes.terminate(process.pid, started)
        assert process.wait() == -signal.SIGTERM


def test_a_task_that_leads_no_group_yet_is_signalled_all_the_same(tmp_path):
    task = TaskProcess(TaskId("worker", 0), None, tmp_path / "worker-0.log")
    with subprocess.Popen(["sleep", "60"]) as process:  # in our group, as one just forked
        task.pid = process.pid
        task.stop()
        assert process.wait(5) == -signal.SIGKILL
    task.close()


def test_who_listens():
    me = psutil.Process().pid
    with socket.create_server(("127.0.0.1", 0)) as server:
        port = server.getsockname()[1]
        assert processes.listens(me, port)
    assert not processes.listens(me, port)


def test_exits_in_words():
    assert processes.exit_words(3) == "exited with code 3"
    assert processes.exit_words(-9) == "was killed by signal 9 (SIGKILL)"
    assert processes.exit_words(-63) == "was killed by signal 63 (unknown)"


def test_settings_that_need_a_new_process():
    server = {"HOME": "/a", "OMP_NUM_THREADS": "1"}
    assert import_time_changes(server, {"HOME": "/b", "OMP_NUM_THREADS": "1"}) == ""
    assert import_time_changes(server, {"HOME": "/a"}) == (
        "OMP_NUM_THREADS acts only on a new process"
    )
    both = import_time_changes(server, {"XLA_FLAGS": "x"})
    assert both == "OMP_NUM_THREADS, XLA_FLAGS act only on a new process"


def test_a_script_that_sets_what_only_a_new_process_reads(tmp_path):
    script = tmp_path / "main.py"
    script.write_text("import os\nos.environ['XLA_FLAGS'] = '--x'\n")
    assert import_time_settings(script) == "main.py names XLA_FLAGS, which only a new process reads"
    script.write_text("import os\nos.environ['TF_CPP_MIN_LOG_LEVEL'] = '3'\n'OMP_ is a prefix'\n")
    assert import_time_settings(script) == ""


def test_an_installed_package_changes_the_fingerprint(tmp_path, monkeypatch):
    monkeypatch.setattr("site.getsitepackages", lambda: [str(tmp_path)])
    monkeypatch.syspath_prepend(str(tmp_path))
    before = Fingerprint.now()
    assert before == Fingerprint.now()
    (tmp_path / "new_package-1.0.dist-info").mkdir()
    assert before != Fingerprint.now()


def test_the_runs_of_another_version_are_left_alone(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    store = Store()
    kept = [store.new("old") for _ in range(KEPT + 2)]
    for directory in kept:
        (directory / "run.json").write_text('{"format": "unknown"}')
    launcher._prune(store)
    assert not {run.directory for run in launcher.runs(store)} & set(kept)
    assert all(directory.is_dir() for directory in kept)


@pytest.mark.parametrize("told", [[], {"verb": "kill", "task": "worker:0", "signal": None}, 1])
def test_an_order_that_is_none_harms_nobody(told):
    orders = Orders({TaskId("worker", 0): _Live()}, print, print)
    path = runtime_dir() / f"test-{os.getpid()}.sock"
    server = control.ControlServer(path, orders.obey)
    with socket.socket(socket.AF_UNIX) as client:
        client.connect(str(path))
        client.sendall(json.dumps(told).encode())
        server.serve_one()
        assert client.recv(100) == b""
    server.close()


class _Live:
    status = Status.RUNNING

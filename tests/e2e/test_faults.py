"""Each fault in each phase of a real cluster is noticed, explained and cleaned up.

``test_launch.py`` tests faults before the cluster forms, ``test_kernel.py`` the death of a kernel.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import psutil
import pytest

from mwtutor.cluster import TaskId
from mwtutor.display.panel import text
from mwtutor.display.panel.headline import report
from mwtutor.engines.local import forkserver_client
from mwtutor.run.record.eventlog import EventReader, EventWriter, recorded_end
from mwtutor.run.record.events import Progress, RunEnded
from mwtutor.run.record.task_status import Status
from mwtutor.run.run import Run
from mwtutor.supervisor.blame import AFTER_A_LOSS
from tests.support.waiting import until, until_ended, until_state

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]

PROGRAM = str(Path(__file__).parents[1] / "support" / "programs" / "fault.py")

#: Maximum seconds from a task's death until its peers stop, far below TensorFlow's timeouts.
#: ``benchmarks/faults.py`` measures the actual time (below a second on an idle machine).
SECONDS = 10.0

WORDS = {
    "exit code": "exited with code 3",
    "exception": "raised ValueError: no such luck (fault.py, line ",
    "os._exit": "exited with code 4",
    "SIGKILL": "was killed by signal 9 (SIGKILL)",
    "segmentation fault": "was killed by signal 11 (SIGSEGV)",
    "out of memory": "was killed by signal 9 (SIGKILL); memory ran out, and the kernel killed"
    " 1 process at that time, possibly this one",
}

ALL = ("exit code", "exception", "os._exit", "SIGKILL", "segmentation fault")

TRIALS = [
    *(("in the first step", fault, "worker:1", {}) for fault in ALL),
    *(("in mid-training", fault, "worker:0", {}) for fault in ALL),
    *(("after the last step", fault, "worker:1", {}) for fault in ALL),
    ("in mid-training", "exception", "chief:0", {"workers": 1, "chief": True}),
    ("in mid-training", "SIGKILL", "chief:0", {"workers": 1, "chief": True}),
    ("before it forms", "exit code", "ps:0", {"workers": 1, "chief": True, "ps": 1}),
    ("in mid-training", "os._exit", "chief:0", {"workers": 1, "chief": True, "ps": 1}),
]


@pytest.mark.full
@pytest.mark.parametrize(
    ("phase", "fault", "victim", "size"),
    TRIALS,
    ids=[f"{fault} of {victim} {phase}" for phase, fault, victim, _ in TRIALS],
)
def test_a_fault_is_seen_explained_and_cleared(launch, phase, fault, victim, size):
    run = launch(PROGRAM, args=[victim, phase, fault], network="host", **{"workers": 2, **size})
    run.wait(timeout=60, check=False)
    check(run, victim, WORDS[fault])


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGSEGV, signal.SIGABRT])
def test_a_death_while_the_cluster_forms(launch, number):
    run = launch(PROGRAM, 2, ["worker:1", "while it forms", "none"], network="host")
    # Inside the constructor, which holds the GIL, so the fault can only come from outside.
    reached(run, lambda: run.tasks[TaskId("worker", 1)].listening)
    assert not run.state.formed
    Path("died").write_text(str(time.time()))
    run.kill("worker:1", number)
    run.wait(timeout=60, check=False)
    check(run, "worker:1", f"was killed by signal {number} ({number.name})")


def check(run: Run, victim: str, words: str) -> None:
    """Check that the fault was explained, the peers stopped in time, and everything released."""
    died = float(Path("died").read_text())
    state = run.state
    assert state.outcome.status == "failed"
    assert state.outcome.reason.startswith(f"{victim} {words}")
    assert state.outcome.culprit == TaskId.parse(victim)
    assert f"{victim} {words}" in text.render(report(run.spec, state))
    events = EventReader(run.spec.events).read()
    decided = next(event["t"] for event in events if event["event"] == "ending")
    assert decided - died < SECONDS
    for name, task in state.tasks.items():
        if str(name) != victim:
            # A peer may notice the loss, and raise an exception, before the command to stop
            # arrives.
            raised = task.status is Status.FAILED and task.error["error"] in AFTER_A_LOSS
            assert task.status is Status.STOPPED or raised
            assert task.ended - died < SECONDS, f"{name} was not stopped in time"
    assert Run.open(run.directory).outcome == state.outcome
    assert_free(run)


def assert_free(run: Run) -> None:
    for job in run.state.cluster.jobs().values():
        for address in job:
            with socket.socket() as free:
                free.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                free.bind(("127.0.0.1", int(address.rsplit(":")[-1])))


@pytest.mark.full
def test_a_killed_parameter_server_ends_the_run(launch):
    run = launch(
        PROGRAM, 1, ["chief:0", "in mid-training", "none"], network="host", chief=True, ps=1
    )
    reached(run, Path("reached").exists)
    run.kill("ps:0")
    assert run.wait(timeout=30, check=False).reason == "ps:0 was killed by signal 9 (SIGKILL)"
    assert_free(run)


def reached(run: Run, condition) -> None:
    until_state(run, lambda _: condition())


@pytest.mark.full
def test_a_supervisor_killed_in_training_takes_all_along(launch):
    run = launch(PROGRAM, 2, ["worker:0", "in mid-training", "none"], network="host")
    reached(run, Path("reached").exists)
    tasks = [psutil.Process(task.pid) for task in run.tasks.values()]
    os.kill(run.state.supervisor[0], signal.SIGKILL)
    until_ended(tasks, SECONDS)
    assert run.wait(timeout=10, check=False).status == "lost"
    assert_free(run)


@pytest.mark.full
def test_a_run_in_training_does_not_need_its_fork_server(launch):
    run = launch(PROGRAM, 2, ["worker:0", "in mid-training", "none"], network="host")
    reached(run, Path("reached").exists)
    server = forkserver_client.server()
    os.kill(server.pid, signal.SIGKILL)
    server._process.wait()
    # The fault is noticed, explained and cleaned up as before.
    run.kill("worker:1")
    assert run.wait(timeout=30, check=False).reason == "worker:1 was killed by signal 9 (SIGKILL)"
    assert_free(run)


@pytest.fixture
def narrow() -> Iterator[Path]:
    """A memory cgroup that is soon full."""
    if Path("/sys/fs/cgroup/cgroup.controllers").exists():
        group, limit = Path(f"/sys/fs/cgroup/mwtutor-{os.getpid()}"), "memory.max"
    else:
        group = Path(f"/sys/fs/cgroup/memory/mwtutor-{os.getpid()}")
        limit = "memory.limit_in_bytes"
    try:
        group.mkdir()
        (group / limit).write_text(str(2**26))
    except OSError as error:
        pytest.skip(f"no memory cgroup can be made here: {error}")
    yield group
    group.rmdir()


@pytest.mark.full
def test_running_out_of_memory_is_recognized(launch, narrow):
    run = launch(
        PROGRAM, 2, ["worker:1", "before it forms", "out of memory", str(narrow)], network="host"
    )
    reason = run.wait(timeout=60, check=False).reason
    assert reason == f"worker:1 {WORDS['out of memory']}"
    assert_free(run)


@pytest.mark.full
def test_a_kill_by_hand_is_not_put_down_to_the_memory_of_another(launch, write, narrow):
    write("main.py", "import pathlib, time; pathlib.Path('reached').touch(); time.sleep(60)")
    run = launch("main.py", 1, network="host")
    reached(run, Path("reached").exists)
    fill = (
        f"open('{narrow}/cgroup.procs', 'w').write('0'); hoard = [b'x' * i for i in range(10**6)]"
    )
    assert subprocess.run([sys.executable, "-c", fill]).returncode == -signal.SIGKILL
    run.kill("worker:0")
    reason = run.wait(timeout=30, check=False).reason
    assert reason == "worker:0 was killed by signal 9 (SIGKILL)"


@pytest.fixture
def small_disk(work: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    disk = work / "small"
    disk.mkdir()
    mounted = subprocess.run(
        ["mount", "-t", "tmpfs", "-o", "size=1m", "mwtutor-test", str(disk)], capture_output=True
    )
    if mounted.returncode:
        pytest.skip(f"no file system can be mounted here: {mounted.stderr.decode().strip()}")
    monkeypatch.chdir(disk)
    yield disk
    monkeypatch.chdir(work)
    subprocess.run(["umount", "-l", str(disk)], check=True)


@pytest.mark.full
@pytest.mark.parametrize("careful", [True, False])
def test_a_full_disk_is_survived_or_named(launch, write, small_disk, work, careful):
    write(
        "main.py",
        f"""
        import mwtutor, os
        try:
            while True:
                print("x" * 1000)
        except OSError:
            if not {careful}:
                raise
        for step in range(100):
            mwtutor.report(step + 1)
        """,
    )
    shutil.copy(work / "main.py", small_disk)
    run = launch("main.py", 2)
    outcome = run.wait(timeout=60, check=False)
    assert small_disk in run.directory.parents
    if careful:
        assert outcome.ok
    else:
        assert "raised OSError: [Errno 28] No space left on device (main.py, line" in outcome.reason
    assert {task.status.ended for task in run.tasks.values()} == {True}
    assert Run.open(run.directory).outcome == outcome, "the end was written down"
    lines = run.spec.events.read_bytes().splitlines()
    assert len(EventReader(run.spec.events).read()) >= len(lines) - 1


@pytest.mark.full
def test_the_last_words_have_room_on_a_full_disk(small_disk):
    log = small_disk / "events.jsonl"
    writer = EventWriter(log)
    with contextlib.suppress(OSError), open("filler", "wb", buffering=0) as filler:
        while True:
            filler.write(bytes(4096))
    size = -1
    while log.stat().st_size != size:  # the rest of its last block
        size = log.stat().st_size
        writer.append(Progress(TaskId("worker", 0), metrics={"loss": 0.5}))
    end = RunEnded("failed", "")
    writer.append(end, durable=True)
    writer.close()
    assert recorded_end(log) == end
    assert sorted(path.name for path in small_disk.iterdir()) == ["events.jsonl", "filler"]


GENERATING = """
import os, tempfile, time
import tensorflow as tf

@tf.function
def step(x):
    if x > 0:
        return x + 1
    return x - 1

print(step(tf.constant(1.0)).numpy(), os.path.realpath(tempfile.gettempdir()))
time.sleep(0 if "{end}" == "success" else 600)
"""


@pytest.mark.full
@pytest.mark.parametrize(
    ("end", "cold"),
    [("success", False), ("stop", False), ("stop", True), ("SIGKILL", False), ("lost", False)],
)
def test_the_files_of_generated_code_go_with_their_run(launch, write, work, end, cold):
    """TensorFlow removes these files at exit, which a killed process never reaches."""
    write("main.py", GENERATING.format(end=end))
    mine = work / "mine"
    mine.mkdir()
    left = mine / "__autograph_generated_file_of_another.py"
    left.touch()
    run = launch("main.py", 2, cold=cold, env={"TMPDIR": str(mine)})
    logs = [run.spec.log(task) for task in run.tasks]
    said = f"2.0 {os.path.realpath(mine)}\n"
    until(lambda: all(log.exists() and said in log.read_text() for log in logs))
    if end == "stop":
        assert len(list(mine.iterdir())) == 3, "as long as they run, their code is there"
        run.stop()
    elif end == "SIGKILL":
        run.kill("worker:1")
    elif end == "lost":
        psutil.Process(run.state.supervisor[0]).kill()
    run.wait(timeout=60, check=False)
    assert list(mine.iterdir()) == [left]
    assert not list(run.directory.glob("logs/*.generated"))


def test_a_fork_server_that_a_signal_halts_is_done_without(launch, write, capsys):
    server = forkserver_client.server()
    os.kill(server.pid, signal.SIGSTOP)
    run = launch(write("main.py", "print('as before')"), network="host")
    assert run.wait(timeout=60).ok
    said = capsys.readouterr().err
    assert said.startswith(f"The fork server (process {server.pid}) is stopped by a signal.")
    assert run.spec.why_cold == "the fork server was stopped by a signal"
    assert not psutil.pid_exists(server.pid), "it would start the run again if it was resumed"

"""The Ray engine without Ray: what it rejects, and what an actor and its keeper do.

The actor is the real one, in this process; a thread simulates Ray's connection to it.
"""

from __future__ import annotations

import json
import os
import signal
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from typing import Any

import psutil
import pytest

from mwtutor import launcher
from mwtutor.cli import main
from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.engines.ray import engine, job
from mwtutor.engines.ray.actor import Host
from mwtutor.engines.ray.task import RayTask
from mwtutor.exceptions import BadInput, NotSupported
from mwtutor.run.record.spec import RunSpec
from mwtutor.run.record.state import RunState
from mwtutor.run.record.store import Store
from mwtutor.run.request.option_kinds import row
from mwtutor.run.request.options import LaunchRequest
from mwtutor.system import child
from mwtutor.worker.bootstrap import TaskSpec
from tests.support.waiting import until

W1 = TaskId("worker", 1)


class Reference:
    """The result of a Ray call: one can wait for it, or pass it to another call."""

    def __init__(self, called: Future[Any]) -> None:
        self._called = called

    def future(self) -> Future[Any]:
        return self._called


class Actor:
    """Calls an object's methods the way an actor's are called."""

    def __init__(self, made: Any) -> None:
        self._made, self._threads = made, ThreadPoolExecutor(4)

    def __getattr__(self, method: str) -> Actor:
        return _Method(self, method)


class _Method:
    def __init__(self, actor: Actor, name: str) -> None:
        self._actor, self._name = actor, name

    def remote(self, *args: Any) -> Reference:
        def call() -> Any:
            given = [one.future().result() if isinstance(one, Reference) else one for one in args]
            return getattr(self._actor._made, self._name)(*given)

        return Reference(self._actor._threads.submit(call))


@pytest.fixture
def host() -> Iterator[Host]:
    made = Host()
    yield made
    assert made.end()


@pytest.fixture
def start(host: Host, work, write) -> Callable[..., RayTask]:
    """Start a task that executes a program; its connection is served on request."""

    def begin(program: str, attempt: int = 1) -> RayTask:
        write("main.py", program)
        come: list[tuple[RayTask, Future[bytes | None]]] = []
        task = RayTask(W1, attempt, work / "worker-1.log", Actor(host), "n2",
                       lambda *heard: come.append(heard), time.time)  # fmt: skip
        context = child.ProcessContext({"A": "1"}, str(work), 0o022, {})
        spec = TaskSpec(str(W1), "script", "main.py", ("x",), "", context)
        order = {"port": 1, "attempt": attempt, "spec": json.loads(spec.to_json())}
        task.start([sys.executable, str(child.ENTRY), "ray-node"], {}, order)
        task.come = come  # type: ignore[attr-defined]
        return task

    return begin


def serve(task: RayTask, enough: Callable[[], object]) -> None:
    def served() -> object:
        while task.come:  # type: ignore[attr-defined]
            _, heard = task.come.pop(0)  # type: ignore[attr-defined]
            task.take(heard)
        return enough()

    until(served, 30)


def text(task: RayTask) -> str:
    return task.log.read_bytes().decode("latin-1")


def test_what_a_task_prints_reports_and_ends_with_comes_here(start):
    task = start("""
        import os, sys
        sys.stdout.buffer.write(b"\\xff " + os.environ["A"].encode() + sys.argv[1].encode())
        sys.stdout.flush()
        import mwtutor
        mwtutor.report(step=3, loss=0.5)
        sys.exit(4)
    """)
    serve(task, lambda: task.exit is not None)
    assert (task.exit, task.lost) == (4, "")
    assert text(task) == "\xff 1x"
    told = [event.kind for event in task.events()]
    assert told == ["program_started", "progress", "program_ended"]
    assert task.log.with_suffix(".moments").stat().st_size, "for the timeline"


def test_a_long_log_comes_whole(start):
    task = start("for number in range(60_000): print(number)")
    serve(task, lambda: task.exit is not None)
    assert text(task) == "".join(f"{number}\n" for number in range(60_000))


def test_signals_and_questions_reach_it(start):
    task = start("import time\nprint('here', flush=True)\ntime.sleep(60)")
    serve(task, lambda: "here" in text(task))
    task.ask_for_stacks()
    answer = task.log.with_suffix(".stacks")
    serve(task, lambda: answer.exists() and '"token": "1.1"' in answer.read_text())
    task.send_signal(signal.SIGKILL)
    serve(task, lambda: task.exit is not None)
    assert (task.exit, task.lost) == (-9, "")
    task.ended_by = task.exit
    assert not task.killed_by_others


STAY = """
    import os, subprocess, time
    hidden = subprocess.Popen(["sleep", "60"], start_new_session=True)
    print(os.getpid(), os.getppid(), hidden.pid, flush=True)
    time.sleep(60)
"""


def test_what_a_task_has_started_ends_with_its_actor(start, host):
    task = start(STAY)
    serve(task, lambda: text(task).endswith("\n"))
    pids = [int(word) for word in text(task).split()]
    assert all(map(psutil.pid_exists, pids))
    host._link.close()  # as the kernel does when the actor's process dies
    host._link = None
    _until_gone(pids)


def test_a_keeper_that_dies_is_told_and_takes_its_task_along(start):
    task = start(STAY)
    serve(task, lambda: text(task).endswith("\n"))
    own, keeper, hidden = (int(word) for word in text(task).split())
    os.kill(keeper, signal.SIGKILL)
    serve(task, lambda: task.exit is not None)
    assert task.lost == "was lost: the process that managed it on n2 has exited"
    _until_gone([own])
    os.kill(hidden, signal.SIGKILL)  # no process was left that could have noticed


def test_a_keeper_that_cannot_begin_says_why(host, work):
    task = RayTask(W1, 1, work / "worker-1.log", Actor(host), "n2", lambda *_: None, time.time)
    heard: list[Future[bytes | None]] = []
    task._heard = lambda _, done: heard.append(done)
    task.start([sys.executable, "-c", "raise ImportError('no psutil')"], {}, {})
    until(lambda: heard)
    task.take(heard[0])
    kept = "the process that managed it on n2"
    assert task.lost == f"was lost: {kept} has exited: ImportError: no psutil"


def _until_gone(pids: list[int]) -> None:
    def left() -> list[int]:
        there = filter(psutil.pid_exists, pids)
        return [pid for pid in there if psutil.Process(pid).status() != psutil.STATUS_ZOMBIE]

    until(lambda: not left(), otherwise=left)


@pytest.mark.parametrize(
    "asked",
    [{"network": "private"}, {"gpus_per_worker": 1}, {"share_gpus": True}, {"with_": "horovod"},
     {"oversubscribe": True}],
    ids=str,
)  # fmt: skip
def test_what_it_has_no_use_for_is_refused(work, write, asked):
    write("main.py", "")
    (name,) = asked
    label = row(LaunchRequest, name).label
    with pytest.raises(NotSupported, match=f"The ray engine does not support {label}"):
        launcher.start(LaunchRequest("main.py", on="ray", **asked))
    assert not list(Store().directories())


def test_what_an_engine_cannot_do_is_refused_by_name(work, write):
    write("main.py", "")
    with pytest.raises(NotSupported, match="The ray engine cannot simulate machines"):
        launcher.start(LaunchRequest("main.py", on="ray", machines=2))


def test_a_machine_without_ray(work, write, monkeypatch):
    write("main.py", "")
    monkeypatch.setattr(engine, "installed", lambda package: "")
    with pytest.raises(NotSupported, match="Ray is not installed here") as error:
        launcher.start(LaunchRequest("main.py", on="ray"))
    assert "pip install ray" in error.value.remedy


def test_its_own_ray_is_on_this_machine_which_may_be_too_small(work, write):
    write("main.py", "")
    with pytest.raises(BadInput, match="at most 512 tasks, not 999"):
        launcher.start(LaunchRequest("main.py", 999, on="ray:local"))


def test_a_dry_run_shows_what_is_asked_for(work, write, monkeypatch, capsys):
    monkeypatch.setattr(engine, "installed", lambda package: "2.60.0")
    monkeypatch.setenv("RAY_ADDRESS", "here:6379")
    write("main.py", "")
    line = "launch 2 main.py --chief --on ray --threads 3 --dry-run"
    assert main(line.split()) == 0
    shown = json.loads(capsys.readouterr().out)
    assert shown["address"] == "here:6379"
    assert shown["placement_group"] == {"strategy": "PACK", "bundles": [{"CPU": 3.0}] * 3}
    assert not Store().root.exists()


def test_a_head_that_has_gone_is_named(work, write):
    run = RunSpec("id", str(work), LaunchRequest("main.py"), engine="ray")
    own = "its supervisor died, and its tasks with it"
    started = RunState(cluster=ClusterSize(1).at(["h:1"]))
    assert engine.RayEngine().why_lost(run, started) == own
    write("supervisor.log", "E 30932] Failed to connect to GCS within 60 seconds. GCS may be dead")
    assert engine.RayEngine().why_lost(run, started).startswith("Ray's head did not answer")


ANSWER = {"host": "n2", "python": "/usr/bin/python3", "code": 0, "said": "/there/_entry.py"}


def test_what_a_node_lacks_is_said_in_two_sentences():
    job._check(W1, ANSWER)
    with pytest.raises(Exception, match="n2, where Ray placed worker:1, cannot start /usr") as no:
        job._check(W1, {**ANSWER, "code": -1, "said": "No such file"})
    assert no.value.remedy == "Name an interpreter that every node has: --python."
    said = "n2 has no directory /a. Launch from a directory that all nodes share, or name: --cwd."
    with pytest.raises(Exception, match=r"^n2 has no directory /a\.") as no:
        job._check(W1, {**ANSWER, "code": 1, "said": said})
    assert no.value.problem == "n2 has no directory /a."
    assert no.value.remedy.startswith("Launch from a directory")

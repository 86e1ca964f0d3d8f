"""Where a live task is: in a collective, in native code, among busy threads."""

from __future__ import annotations

import io
import os
import signal

import psutil
import pytest

from mwtutor.cli import TerminalFace
from mwtutor.cluster import TaskId
from mwtutor.commands.dispatch import perform
from mwtutor.display.panel import hints
from mwtutor.display.panel.panel import TerminalLive
from mwtutor.exceptions import BadInput, NoRun
from mwtutor.interface import TERMINAL
from mwtutor.run.observations.standing import awaited_tasks, standings
from tests.support.waiting import until, until_state

pytestmark = pytest.mark.e2e

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

PROGRAM = """
    import ctypes, json, os, pathlib, re, threading, time
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    def reduce_over_the_cluster():
        def replica():
            return tf.distribute.get_replica_context().all_reduce("sum", tf.constant(1.0))
        return strategy.run(replica)
    def recurse(depth):
        return depth and recurse(depth - 1) + sum(map(abs, range(3)))
    def churn():
        while True:
            recurse(20)
            exec(compile("def f(): pass\\nf()", "made here", "exec"), {})
    def hold_the_lock():
        ctypes.PyDLL(None).sleep(600)
    if strategy.cluster_resolver.task_id == 0:
        print("in", flush=True)
        reduce_over_the_cluster()
    threading.Thread(target=churn, name="churning", daemon=True).start()
    print("in", flush=True)
    while not pathlib.Path("hold").exists():
        time.sleep(0.02)
    print("held", flush=True)
    hold_the_lock()
"""


def printed(run, task, word):
    log = run.spec.log(task)
    return log.exists() and word in log.read_text()


def test_where_live_tasks_stand(launch, write, work, capsys):
    write("main.py", PROGRAM)
    run = launch("main.py", 2)
    until_state(run, lambda _: printed(run, W0, "in\n") and printed(run, W1, "in\n"))
    # The main thread is in C++, waiting for its peer.
    until(lambda: any(thread.waits for thread in run.stacks("worker:0")), 20)
    assert (main := run.stacks("worker:0")[0]).main
    assert "in reduce_over_the_cluster" in str(main)
    assert main.frames[0].source == "reduce_over_the_cluster()"
    assert main.frames[0].file.endswith("main.py")
    assert not [frame for frame in main.frames if "/mwtutor/" in frame.file]
    # Without a task's name, all tasks are shown, starting with the one for which the others wait.
    first, second = found = standings(run)
    assert [one.task for one in found] == [W1, W0]
    assert second.waits
    assert awaited_tasks(found) == (first,)
    assert perform("stacks", [], TERMINAL, TerminalFace()).status == 0
    shown = capsys.readouterr().out
    assert shown.startswith("---- worker:1, for which the others wait ----\n\nmain thread (most")
    assert "---- worker:0, in a collective ----" in shown
    # With busy threads: reading frames without the GIL soon crashes the process.
    for _ in range(100):
        first, *others = run.stacks("worker:1")
        assert "hold" in first.frames[0].source or "sleep(0.02)" in first.frames[0].source
        assert [thread.name for thread in others] == ["churning"]
    # Native code that never releases the GIL.
    (work / "hold").touch()
    until_state(run, lambda _: printed(run, W1, "held"))
    shown = "\n".join(map(str, run.stacks("worker:1")))
    assert "ctypes.PyDLL(None).sleep(600)" in shown
    assert "in hold_the_lock" in shown
    assert run.outcome is None, "nobody was stopped by being asked"


@pytest.mark.full
def test_who_cannot_be_asked_is_said(launch, write):
    write("main.py", "import os, time; 'x'; print('on', flush=True); time.sleep(600)")
    run = launch("main.py", 2)
    until_state(run, lambda _: printed(run, W0, "on") and printed(run, W1, "on"))
    with pytest.raises(BadInput, match="no task worker:7"):
        run.stacks("worker:7")
    os.kill(run.tasks[W0].pid, signal.SIGSTOP)
    stopped = psutil.Process(run.tasks[W0].pid)
    until_state(run, lambda _: stopped.status() == psutil.STATUS_STOPPED)
    with pytest.raises(BadInput, match="worker:0 was paused by a signal"):
        run.stacks("worker:0")
    assert stopped.status() == psutil.STATUS_STOPPED
    os.kill(run.tasks[W0].pid, signal.SIGCONT)
    assert run.stacks("worker:0")[0].frames[0].function == "<module>"
    run.kill("worker:1")
    run.wait(check=False)
    with pytest.raises(NoRun, match=r"worker:1 has ended, .*: worker:1 was killed by signal 9"):
        run.stacks("worker:1")


SPENDS = """
    import time
    def asleep():
        time.sleep(0.02)
    print("on", flush=True)
    while True:
        asleep()
"""


@pytest.mark.full
def test_where_the_time_of_live_tasks_goes(launch, write, work, capsys):
    write("main.py", SPENDS)
    run = launch("main.py", 2)
    until_state(run, lambda _: printed(run, W0, "on") and printed(run, W1, "on"))
    found = run.sample(0.5)
    assert [one.task for one in found.tasks] == [W0, W1]
    for one in found.tasks:
        assert one.done
        inside = [visit for visit in one.paths if visit.frames[-1].function == "asleep"]
        assert sum(visit.seconds for visit in inside) > 0.8 * one.seconds
    words = ["worker:1", "--sample", "0.5", "--svg", "flames.svg"]
    assert perform("stacks", words, TERMINAL, TerminalFace()).status == 0
    assert "asleep (main.py, line 4)" in (work / "flames.svg").read_text()
    for words, why in ((["--sample", "0"], "0 seconds"), (["--svg", "x.svg"], "needs --sample")):
        with pytest.raises(BadInput, match=why):
            perform("stacks", words, TERMINAL, TerminalFace())
    killed = False
    for so_far in run.sampling(600):  # ends with the tasks
        if not killed and all(one.count for one in so_far.tasks):
            run.kill("worker:1")
            killed = True
    assert so_far.seconds > 0
    assert so_far.tasks[1].why == "it failed"
    with pytest.raises(NoRun, match="main has ended, so its tasks cannot be sampled"):
        run.sample(1)


@pytest.mark.full
def test_a_program_that_closes_what_it_finds_is_not_written_into(launch, write, work):
    write(
        "main.py",
        """
        import ctypes, os, time
        import mwtutor
        mwtutor.report(1, loss=0.5)
        os.closerange(3, 100)
        for number in range(40):
            os.open(f"mine-{number}", os.O_RDWR | os.O_CREAT)
        time.sleep(0.3)
        mwtutor.report(2, loss=0.5)
        print("held", flush=True)
        ctypes.PyDLL(None).sleep(600)
        """,
    )
    run = launch("main.py", 1)
    until_state(run, lambda _: printed(run, W0, "held"))
    with pytest.raises(BadInput, match="worker:0 has closed the file for its stacks"):
        run.stacks("worker:0")
    assert [path.read_bytes() for path in sorted(work.glob("mine-*"))] == [b""] * 40
    assert run.outcome is None


@pytest.mark.full
def test_what_a_timeout_found_is_named(launch, write):
    write(
        "main.py",
        """
        import json, os, time
        def stand():
            time.sleep(600)
        if '"index": 1' in os.environ["TF_CONFIG"]:
            stand()
        while True:
            print("busy", flush=True)
            time.sleep(0.1)
        """,
    )
    run = launch("main.py", 2, timeout=6.5)
    reason = run.wait(timeout=60, check=False).reason
    assert reason.startswith("it took more than 6.5 s; worker:1 was silent for ")
    assert reason.endswith("in stand (main.py, line 4)")


LATE = """
    import os, time
    import tensorflow as tf
    strategy = tf.distribute.MultiWorkerMirroredStrategy()
    def read_slowly():
        while True:
            time.sleep(0.1)
    if strategy.cluster_resolver.task_id == 1:
        read_slowly()
    strategy.run(lambda: tf.distribute.get_replica_context().all_reduce("sum", tf.constant(1.0)))
"""


class Terminal(io.StringIO):
    """A stream that is, or is not, a terminal."""

    def __init__(self, *, redraws: bool) -> None:
        super().__init__()
        self.redraws = redraws

    def isatty(self) -> bool:
        return self.redraws


@pytest.mark.full
def test_who_waits_is_told_without_asking_whom_the_others_wait_for(launch, write, monkeypatch):
    monkeypatch.setattr(hints, "LONG", 0.5)
    write("main.py", LATE)
    run = launch("main.py", 2)
    said = "The others wait for worker:1, which is in read_slowly (main.py, line"
    for redraws in (True, False):
        screen = Terminal(redraws=redraws)
        live = TerminalLive(screen)

        def told(state, live=live, screen=screen):
            live.show(run, state)
            return said in screen.getvalue()

        until_state(run, told)
    live.show(run, run.state)
    assert screen.getvalue().count("The others wait") == 1, "what is not redrawn is said once"
    run.stop()

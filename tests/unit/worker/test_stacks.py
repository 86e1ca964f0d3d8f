"""Where a task is, even if its program closes descriptors that it finds."""

from __future__ import annotations

import os
import subprocess
import sys
import textwrap
from types import SimpleNamespace

from mwtutor.system import processes
from mwtutor.worker import stacks

CLOSES = """
    import os, sys
    from mwtutor.worker import stacks

    def calls():
        "What the threads are in, except this one: the system call, and its first argument."
        paths = (f"/proc/self/task/{task}/syscall" for task in os.listdir("/proc/self/task"))
        for path in set(paths) - {f"/proc/self/task/{os.getpid()}/syscall"}:
            try:
                yield open(path).read().split()[:2]
            except OSError:  # it has just ended
                yield []

    requests, log = int(sys.argv[1]), sys.argv[2]
    stacks.install(requests, log, lambda: print("over", flush=True))
    print("on", flush=True)
    sys.stdin.readline()  # the first request has been answered, and the next is waited for
    while not any(call[1:] == [hex(requests)] for call in calls()):
        os.sched_yield()
    mine, theirs = os.pipe()
    os.write(theirs, b"the program's own bytes")
    os.set_blocking(mine, False)
    os.dup2(mine, requests)
    print("closed", flush=True)
    sys.stdin.readline()  # the second has been answered, and no other is waited for
    while list(calls()):
        os.sched_yield()
    print(os.read(requests, 100).decode(), flush=True)
"""


def test_what_the_program_opens_instead_is_the_programs_to_read(tmp_path):
    log = tmp_path / "worker-0.log"
    requests, ask = os.pipe()
    with subprocess.Popen(
        [sys.executable, "-c", textwrap.dedent(CLOSES), str(requests), str(log)],
        pass_fds=[requests],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    ) as task:
        os.close(requests)
        assert task.stdout.readline() == "on\n"
        assert processes.has_open(task.pid, stacks.native_path(log))
        answer = stacks.answer_path(log)
        os.write(ask, b"1.1 ")
        while task.poll() is None and not (answer.exists() and "1.1" in answer.read_text()):
            os.sched_yield()
        os.write(ask, stacks.OVER.encode() + b" ")
        assert task.stdout.readline() == "over\n"
        assert "1.1" in answer.read_text(), "that is not a question"
        task.stdin.write("\n")
        task.stdin.flush()
        assert task.stdout.readline() == "closed\n"
        os.write(ask, b"1.2 ")  # the read that is waiting reads the pipe
        while task.poll() is None and "1.1" in answer.read_text():
            os.sched_yield()
        task.stdin.write("\n")
        task.stdin.flush()
        assert task.stdout.readline() == "the program's own bytes\n"
    os.close(ask)


def test_a_file_that_was_closed_is_not_open(tmp_path):
    path = tmp_path / "worker-0.native"
    with open(path, "w"):
        assert processes.has_open(os.getpid(), path)
    assert not processes.has_open(os.getpid(), path)
    assert not processes.has_open(os.getpid(), tmp_path / "missing")


def test_a_frame_that_is_at_none_of_its_lines_has_its_first():
    between = SimpleNamespace(
        f_code=test_a_frame_that_is_at_none_of_its_lines_has_its_first.__code__,
        f_lineno=None,
        f_globals=globals(),
        f_back=None,
    )
    ((file, line, name, source),) = stacks._thread_stack(0, between)["frames"]
    assert (file, line) == (__file__[-300:], between.f_code.co_firstlineno)
    assert source == f"def {name}():"

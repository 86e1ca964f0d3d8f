"""Judging in separate processes: real ones that exit, are killed, are late, and leave others."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import psutil

from tests.support.waiting import until

#: A program that becomes a subreaper, as ``mwtutor grade`` does, before it starts processes.
PROGRAM = """
import os, signal, subprocess, sys, time
from pathlib import Path
from mwtutor.exercises.grading.jobs import Task, results
from mwtutor.system import processes

def waits(): time.sleep(60)

def meets(mine, other):
    Path(mine).touch()
    while not Path(other).exists(): time.sleep(0.01)
    return mine

def leaves():
    child = subprocess.Popen(["sleep", "60"], start_new_session=True)
    Path("left").write_text(str(child.pid))
    os.kill(os.getpid(), signal.SIGKILL)

processes.become_subreaper()
"""


def program(code: str) -> subprocess.Popen[str]:
    pipe = subprocess.PIPE
    command = [sys.executable, "-c", PROGRAM + code]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, text=True)


def said(code: str) -> str:
    out, err = program(code).communicate(timeout=60)
    assert err == ""
    return out


def test_jobs_run_at_once_and_each_result_has_its_place(work):
    tasks = "[Task(lambda: meets('a', 'b'), 30), Task(lambda: meets('b', 'a'), 30)]"
    assert said(f"print(sorted(results({tasks}, 2)))") == "[(0, 'a'), (1, 'b')]\n"
    assert said("print(*results([Task(os.getpid, 30)] * 3, 1))").count("(") == 3


def test_a_process_that_is_killed_or_halted_costs_only_its_result(work):
    halts = "Task(lambda: os.kill(os.getpid(), signal.SIGSTOP), 600)"
    fine = "Task(lambda: 7, 30)"
    shown = said(f"print(sorted(results([Task(leaves, 30), {halts}, {fine}], 2)))")
    assert shown == "[(0, None), (1, None), (2, 7)]\n"
    assert not psutil.pid_exists(int(Path("left").read_text()))


def test_an_interrupt_ends_every_job_which_can_clean_up(work):
    running = program(
        "def cleans():\n"
        "    Path(str(os.getpid()) + '.begun').touch()\n"
        "    try: waits()\n"
        "    finally: Path(str(os.getpid()) + '.cleaned').touch()\n"
        "list(results([Task(cleans, 60)] * 3, 2))\n"
    )
    until(lambda: len([*work.glob("*.begun")]) == 2, seconds=30)
    os.kill(running.pid, signal.SIGINT)
    running.communicate(timeout=60)
    begun = {int(one.stem) for one in work.glob("*.begun")}
    assert {int(one.stem) for one in work.glob("*.cleaned")} == begun
    assert not any(map(psutil.pid_exists, begun))

"""``%mw_check --run``: which cells are executed, and that the learner's code is contained."""

from __future__ import annotations

import os
import subprocess
import sys
import time

import pytest

from mwtutor.exceptions import BadInput, Interrupted
from mwtutor.exercises import Exercise, bring_up, right
from mwtutor.exercises.rerun import contain
from mwtutor.system import processes
from tests.support.runs.noted_notebook import Notebook
from tests.support.waiting import until

EXERCISE = Exercise(
    "mine-1", "T", "T", "double = None\n", lambda work: right(str(work.value("result"))), (),
    "def double(x):\n    return 2 * x\n", "", (),
)  # fmt: skip

SETUP, RUN, CODE = "two = 2\n", "result = double(two)\n", EXERCISE.solution


@pytest.fixture
def notebook(work):
    return Notebook(work, EXERCISE, RUN, SETUP)


def run(notebook: Notebook, **options: float) -> list[str]:
    """The output of ``--run``."""
    lines: list[str] = []
    bring_up("mine-1", notebook.executed, notebook.execute, lines.append, **options)
    return lines


def test_the_cells_between_are_run_and_judged(notebook):
    notebook.execute(SETUP)
    notebook.execute(CODE)
    assert run(notebook) == ["mine-1, 1 of 1: cell run-mine-1"]
    assert notebook.check() == ("right", "4")


def test_setup_cells_that_were_not_run_come_first(notebook):
    notebook.execute(CODE)
    assert run(notebook) == ["mine-1, 1 of 2: setup cell setup", "mine-1, 2 of 2: cell run-mine-1"]
    assert run(notebook) == ["mine-1, 1 of 1: cell run-mine-1"]


def test_in_a_new_kernel_the_code_is_what_the_learner_has_saved(notebook):
    assert [line.partition(": ")[2] for line in run(notebook)] == [
        "setup cell setup", "your code", "cell run-mine-1",
    ]  # fmt: skip
    assert notebook.variables["double"] is None


def test_without_its_notebook_it_says_so(notebook):
    (notebook.work / "mine.ipynb").unlink()
    with pytest.raises(BadInput, match="The notebook of exercise mine-1 is not in this directory"):
        run(notebook)


def test_code_that_was_never_run_is_asked_for():
    with pytest.raises(BadInput, match="The cell of exercise 02-2 has not been run"):
        bring_up("02-2", (), lambda cell: None, print)


def test_code_that_loops_is_stopped_and_named(notebook):
    for source in (SETUP, "def double(x):\n    while True:\n        pass\n"):
        notebook.execute(source)
    with pytest.raises(Interrupted, match=r"run-mine-1 was stopped after 1 s.*not checked"):
        run(notebook, seconds=1.0)


def test_code_that_exits_leaves_the_kernel(notebook):
    notebook.execute(SETUP)
    for how in ("raise SystemExit", "__import__('os')._exit(3)", "__import__('sys').exit()"):
        notebook.execute(f"def double(x):\n    {how}\n")
        assert run(notebook)[-1] == (
            "cell run-mine-1 tried to end the kernel, which keeps running. Let your code return."
        )


#: Starts a kernel's process and ends. Its thread does what ipykernel's does: it ends the process
#: once the parent has ended.
ORPHAN = """
import os, sys, threading, time
from mwtutor.exercises.rerun import contain

parent = os.getpid()
os.environ["JPY_PARENT_PID"] = str(parent)  # as jupyter_client does
if child := os.fork():
    print(child, flush=True)
    os._exit(0)
os.close(1)

def poll():
    while os.getppid() == parent:
        time.sleep(0.01)
    os._exit(1)

while sys.argv[1] == "before" and os.getppid() == parent:
    time.sleep(0.01)
with contain(120.0):
    threading.Thread(target=poll, daemon=True).start()
    time.sleep(120.0)
"""


@pytest.mark.parametrize("ends", ["before", "during"])
def test_a_kernel_whose_parent_ends_before_or_during_a_contained_cell_ends_too(ends):
    started = [sys.executable, "-c", ORPHAN, ends]
    child = int(subprocess.run(started, stdout=subprocess.PIPE, text=True, check=True).stdout)
    # Another test may have made this process a subreaper, which then has the child as its zombie.
    until(lambda: processes.started_at(child) is None)


def test_what_the_code_forks_ends_with_the_cells(tmp_path):
    with contain(60.0):
        child = os.fork()
    (tmp_path / str(os.getpid())).touch()
    _, status = os.waitpid(child, 0)
    assert status == 0
    assert os.listdir(tmp_path) == [str(os.getpid())]


def test_a_gigabyte_is_not_shown(capsys):
    with contain(60.0):
        for _ in range(1000):
            sys.stdout.write("x" * 1_000_000)
        print("the end")
    shown = capsys.readouterr().out
    assert len(shown) < 1_100_000
    assert shown.endswith("\nmwtutor shows only 1000000 characters: print less.\n")


def test_afterwards_all_is_as_before():
    before, leave = sys.stdout, os._exit
    with pytest.raises(KeyboardInterrupt), contain(1.0) as late:
        time.sleep(600.0)
    assert late()
    assert (sys.stdout, os._exit) == (before, leave)

"""The course commands in a real kernel, with runs and a session."""

from __future__ import annotations

import ast
import os
import time

import psutil
import pytest

from tests.support.runs.notebook_kernel import Kernel

pytestmark = pytest.mark.e2e

COURSE = """
from mwtutor.exercises import Exercise, not_yet, right, wrong


def of_session(work):
    found = work.session["x * 2 + task_index"]
    if len(found) < 2:
        return not_yet(f"{len(found)} workers have x.")
    return right(str(sorted(found.values()))) if "1 / 0" not in work.session else wrong("?")


def of_notebook(work):
    f = work.value("f")
    return not_yet() if f is None else right(f"{f(2)}")


def exercise(number, check, *session):
    return Exercise(number, "T", "T", "", check, (), "", "", (), session=session)


EXERCISES = (
    exercise("mine-1", of_session, "x * 2 + task_index", "1 / 0", "lambda: 0"),
    exercise("mine-2", of_notebook),
)
"""


@pytest.fixture
def kernel(tmp_path):
    (tmp_path / "course.py").write_text(COURSE)
    (tmp_path / "waits.py").write_text("import time\ntime.sleep(600)\n")
    made = Kernel(tmp_path)
    made.run("%load_ext mwtutor\n%mw_exercises course.py")
    yield made
    made.close()


@pytest.mark.full
def test_a_workspace_ends_what_this_kernel_has_going_in_it(kernel, tmp_path):
    assert kernel.run("%mw_workspace lesson-1") == "Working in lesson-1.\n"
    kernel.run("%mw_launch 2 ../waits.py\nimport mwtutor, os, time\nrun = mwtutor.find('waits')")
    started = "while not all(task.pid for task in run.tasks.values()):\n    time.sleep(0.05)\n"
    pids = ast.literal_eval(kernel.run(f"{started}[task.pid for task in run.tasks.values()]"))
    assert len(pids) == 2
    assert all(map(psutil.pid_exists, pids))
    assert kernel.run("os.chdir('..')\n%mw_workspace lesson-1") == "Working in lesson-1.\n"
    assert not any(map(psutil.pid_exists, pids))
    assert kernel.run("%mw_runs") == "There are no runs here yet."
    where = ast.literal_eval(kernel.run("run.outcome.status, os.getcwd()"))
    assert where == ("stopped", str(tmp_path / "lesson-1"))
    left = set(os.listdir(tmp_path)) - {"__pycache__"}  # of course.py
    assert left == {"course.py", "lesson-1", "waits.py"}


def test_a_check_asks_the_session_and_changes_nothing_there(kernel):
    kernel.run("%mw_workspace lesson-1")
    assert "There is no session yet." in kernel.run("%mw_check mine-1")
    kernel.run("%mw_start 2")
    assert kernel.run("%mw_check mine-1").startswith("mine-1: not solved yet. 0 workers have x.")
    kernel.run("%%mw\nx = 5\nbefore = set(dir())")
    assert kernel.run("%mw_check mine-1") == "mine-1: right. [10, 11]"
    assert kernel.run(
        "%%mw --task worker:1\nprint({n for n in set(dir()) - before if n[0] != '_'} - {'before'})"
    ).endswith("set()\n")
    # An endless cell is interrupted, and the session is unchanged.
    kernel.run("from mwtutor.exercises import checking\nchecking._ASKING = 0.5")
    kernel.run("%%mw\nclass Slow:\n    def __mul__(self, other):\n"
               "        import time\n        time.sleep(600)\nx = Slow()")  # fmt: skip
    began = time.monotonic()
    shown = kernel.run("%mw_check mine-1")
    assert shown.startswith(
        "mine-1: could not be judged. worker:0 and worker:1 did not answer within 0.5 s. Try again"
    )
    assert time.monotonic() - began < 60
    kernel.run("checking._ASKING = 30.0")
    kernel.run("%%mw\nx = 1")
    assert kernel.run("%mw_check mine-1") == "mine-1: right. [2, 3]"
    # A session that has lost its worker is reported, without a wait for the worker.
    kernel.run("import mwtutor\nrun = mwtutor.find('session')\nrun.kill('worker:1')\n"
               "run.wait(60, check=False)")  # fmt: skip
    shown = kernel.run("%mw_check mine-1")
    assert "mine-1: could not be judged. The session has ended:" in shown
    assert "`%mw_check --run mine-1` starts new workers" in shown


@pytest.mark.full
def test_run_all_goes_through_whatever_the_learner_has_written(kernel):
    kernel.run("%mw_workspace lesson-1")
    for cell in (
        "%mw_check mine-2", "f = lambda x: 1 / 0\n%mw_check mine-2", "%mw_check mine-7",
        "f = lambda x: __import__('os').closerange(0, 999)\n%mw_check mine-2",
        "import builtins\nkept, builtins.sum = sum, None\n%mw_check mine-2", "builtins.sum = kept",
        "f = lambda x: x\n%mw_check mine-2", "%mw_progress", "%mw_solution mine-2",
    ):  # fmt: skip
        shown = kernel.run(cell)
        assert kernel.reply["content"]["status"] == "ok", shown
        assert "Traceback" not in shown
    assert kernel.run("%mw_check mine-2") == "mine-2: right. 2"
    children = psutil.Process(kernel.pid).children(recursive=True)
    assert not [child for child in children if child.status() == psutil.STATUS_ZOMBIE]


@pytest.mark.full
def test_an_interrupt_ends_a_check(kernel):
    kernel.run("%mw_workspace lesson-1\nimport os, time\n"
               "def f(x):\n    open('began', 'w').close()\n    time.sleep(600)")  # fmt: skip
    kernel.run(
        "import threading, signal\n"
        "def interrupt():\n    while not os.path.exists('began'): time.sleep(0.01)\n"
        "    os.kill(os.getpid(), signal.SIGINT)\n"
        "threading.Thread(target=interrupt).start()\n%mw_check mine-2"
    )
    assert kernel.reply["content"]["ename"] == "KeyboardInterrupt"
    assert kernel.run("1 + 1") == "2"


def test_a_prediction_is_compared_with_what_ran(kernel):
    kernel.run("%mw_workspace lesson-1")
    outcome = '%mw_outcome 05-a OFF={steps["worker:0"]["OFF"]} rows={rows} time~{round(ms, 1)}'
    assert kernel.run("%mw_predict 05-a OFF=... rows=... time=...").startswith(
        "05-a: no prediction recorded."
    )
    assert (
        kernel.run(outcome) == "05-a: the outcome is not known yet.\nRun the cells above first.\n"
    )
    predicted = kernel.run("%mw_predict 05-a OFF=6 rows=[2, 3] time=20")
    assert predicted == "05-a: you predict OFF 6, rows [2, 3], time 20.\n"
    kernel.run('steps = {"worker:0": {"OFF": 6}}\nrows = [2, 4]\nms = 21.66')
    assert kernel.run(outcome).splitlines() == [
        "05-a: 2 of 3 predicted values are right.",
        "    OFF: predicted 6, was 6: right",
        "    rows: predicted [2, 3], was [2, 4]: not right",
        "    time: predicted 20, was 21.7: right",
    ]
    assert kernel.run("%mw_progress").endswith("Predictions: 2 of 3 values are right.")
    # The same cells run again in Run All, and after a restart of the kernel.
    assert kernel.run("%mw_predict 05-a OFF=6 rows=[2, 3] time=20") == predicted
    assert "is not the id of a prediction" in kernel.run("%mw_predict 05 6")
    assert kernel.reply["content"]["status"] == "ok"

"""The cells of a session: what they print, define and raise, and how they are interrupted."""

from __future__ import annotations

import re
import threading
import time
from pathlib import Path

import numpy as np
import pytest

import mwtutor
from mwtutor.cluster import ClusterSize, TaskId
from mwtutor.exceptions import (
    BadInput,
    CellFailed,
    CellInterrupted,
    LaunchFailed,
    SessionError,
)
from mwtutor.sessions import link
from mwtutor.sessions import session as api
from mwtutor.sessions.result import Output
from tests.support.runs.live_session import STEP, W0, W1, Session, check_on_one_line, interrupt_when
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]


def test_every_worker_knows_who_it_is_and_has_the_strategy(session):
    assert session.run(
        "(task_type, task_index, num_workers, is_chief, strategy.num_replicas_in_sync)"
    ).ok
    assert session.texts(W0) == "('worker', 0, 2, True, 2)"
    assert session.texts(W1) == "('worker', 1, 2, False, 2)"


def test_scope_mirrors_variables_and_what_it_defines_stays(session):
    assert session.run("v = tf.Variable(1.0)", scope=True).ok
    assert session.run("w = tf.Variable(1.0)").ok
    assert session.run("type(v).__name__, type(w).__name__").ok
    assert session.texts(W1) == "('MirroredVariable', 'ResourceVariable')"
    found = {one.name: one for one in session.api.variables()}
    assert [piece.task for piece in found["v"].pieces] == [W0, W1]
    assert (found["v"].parts, found["v"].bytes) == (False, 4)
    session.run("1/0", scope=True)
    assert session.run("tf.distribute.has_strategy()").ok
    assert session.texts(W0) == "False", "the scope was left after an error"


def test_output_comes_as_it_is_made_and_is_in_the_log_too(session, tmp_path):
    shown = tmp_path / "shown"

    class Listener(Session):
        def __init__(self) -> None: ...

        def output(self, task: TaskId, output: Output) -> None:
            shown.touch()

    code = f"""
import pathlib, time
print('early', flush=True)
end = time.monotonic() + 60
while not pathlib.Path({str(shown)!r}).exists():
    assert time.monotonic() < end, "it was not shown while the cell went on"
    time.sleep(0.02)
tf.print('by tf')
print('late')
"""
    assert session.api.execute(code, listener=Listener()).ok
    log = session.api.run.spec.log(W1).read_text()
    assert "early" in log
    assert "late" in log
    session.run("tf.print('by', 'tf')")
    assert session.texts(W0) == "by tf\n"


def test_a_figure_is_shown_by_its_worker(session):
    session.run("import matplotlib.pyplot as plt\nplt.plot([1, 2]); plt.show()")
    kinds = [set(output.data) for task, output in session.outputs if task == W1]
    assert {"image/png", "text/plain"} in kinds


def test_an_error_is_told_once_with_the_workers_traceback(session):
    result = session.run("def f():\n    1/0\nf()", count=41)
    with pytest.raises(CellFailed) as caught:
        result.check()
    assert caught.value.problem == "ZeroDivisionError on worker:0 and worker:1."
    shown = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(caught.value._render_traceback_()))
    assert "In[41]" in shown.replace("In [41]", "In[41]")
    assert shown.count("division by zero") == 1
    assert "mwtutor" not in shown
    assert "ipykernel" not in shown


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("x = (", "SyntaxError on worker:0 and worker:1"),
        ("input()", "cannot ask for input"),
        ("import sys; sys.exit(1)", "The workers keep running"),
        ("exit()", "The workers keep running"),
        ("raise ValueError(f'mine: {task_index}')", "worker:1 raised ValueError: mine: 1"),
        ("%%nothing\nx", "UsageError"),
    ],
)
def test_bad_cells_leave_the_session_intact(session, code, said):
    with pytest.raises(CellFailed) as caught:
        session.run(code).check()
    assert said in str(caught.value)
    assert session.run("1 + 1").ok
    assert session.texts(W1) == "2"


def test_magics_of_ipython_work_in_a_cell(session):
    assert session.run("%%capture got\nprint('caught')").ok
    assert session.run("got.stdout.strip()").ok
    assert session.texts(W0) == "'caught'"


@pytest.mark.full
def test_a_cell_that_runs_again_keeps_its_place_in_the_script(fresh):
    for code, place in (("a = 1", "A"), ("b = a + 1", "B"), ("a = 2", "A")):
        assert fresh.api.execute(code, place=place).ok
    assert [cell.source for cell in fresh.api.cells][-2:] == ["a = 2", "b = a + 1"]


@pytest.mark.full
def test_a_cell_may_await_and_be_interrupted_while_it_does(session, tmp_path):
    session.run(STEP)
    code = "import asyncio\nawait asyncio.sleep(0.1)\nv = tf.Variable(1.0)\ntype(v).__name__"
    assert session.run(code, scope=True).ok
    assert session.texts(W1) == "'MirroredVariable'"
    assert session.run("await asyncio.sleep(0.1)\nfloat(step(tf.constant(1.0)))").ok
    assert session.texts(W0) == "2.0"
    with pytest.raises(CellFailed, match=r"ZeroDivisionError on worker:0 and worker:1\."):
        session.run("await asyncio.sleep(0.1)\n1/0").check()
    interrupt_when(tmp_path / "on")
    code = f"open({str(tmp_path / 'on')!r}, 'w').close()\nawait asyncio.sleep(100)"
    with pytest.raises(CellInterrupted, match="is still usable"):
        session.run(code).check()
    assert session.run("float(step(tf.constant(1.0)))").ok


@pytest.mark.full
@pytest.mark.parametrize("code", ["strategy = 'ring'", "del strategy", "%reset -f"])
def test_without_its_strategy_a_scope_is_refused_and_the_session_goes_on(fresh, code):
    fresh.run(code)
    said = r"`strategy`.* is no longer a strategy on worker:0 and worker:1.*%mw_restart"
    with pytest.raises(CellFailed, match=said):
        check_on_one_line(fresh.run("1", scope=True))
    assert fresh.run("1 + 1").ok
    assert fresh.texts(W1) == "2"


@pytest.mark.full
def test_a_pushed_strategy_of_another_kind_and_one_lost_by_one_worker_are_told(fresh):
    fresh.api.push({"strategy": 3})
    with pytest.raises(CellFailed, match="is no longer a strategy on worker:0 and worker:1"):
        fresh.run("1", scope=True).check()
    fresh.restart()
    fresh.run("mine = strategy\nif task_index: strategy = None")
    with pytest.raises(CellFailed, match="is no longer a strategy on worker:1"):
        fresh.run("tf.Variable(1.0)", scope=True).check()


@pytest.mark.full
@pytest.mark.parametrize("where", ["type(shell).run_cell", "type(shell.kernel).finish_metadata"])
def test_a_worker_always_replies_whatever_breaks_around_the_cell(fresh, where):
    fresh.run(f"shell = get_ipython()\n{where} = None")
    with pytest.raises(CellFailed, match="TypeError on worker:0 and worker:1"):
        fresh.run("1").check()


@pytest.mark.full
def test_a_scope_that_cannot_be_left_is_an_error_of_the_cell(fresh):
    code = "inner = tf.variable_creator_scope(lambda create, **to: create(**to)); inner.__enter__()"
    with pytest.raises(CellFailed, match="RuntimeError on worker:0 and worker:1"):
        fresh.run(code, scope=True).check()


def test_values_go_to_all_workers_and_come_from_one_or_all(session):
    array = np.arange(6.0).reshape(2, 3)
    session.api.push({"array": array, "plain": {"a": [1, None]}})
    assert session.run("array += task_index; v = tf.Variable(array[1, 2])").ok
    got = session.api.pull(["array", "plain"])
    np.testing.assert_array_equal(got["array"]["worker:1"], array + 1)
    assert got["plain"]["worker:0"] == {"a": [1, None]}
    assert session.api.pull(["v"], W1) == {"v": 6.0}


def test_what_cannot_be_pushed_or_pulled_gets_a_sentence(session):
    session.run("if task_index: only = 1\ndef local(): pass")
    with pytest.raises(BadInput, match="is not defined on worker:0"):
        session.api.pull(["only"])
    assert session.api.pull(["only"], W1) == {"only": 1}
    with pytest.raises(BadInput, match="not defined on worker:0 and worker:1"):
        session.api.pull(["nowhere"])
    with pytest.raises(BadInput, match="cannot leave its process"):
        session.api.pull(["strategy"])
    with pytest.raises(BadInput, match=r"cannot be loaded here|cannot be pulled"):
        session.api.pull(["local"], W0)
    with pytest.raises(BadInput, match="cannot be pushed"):
        session.api.push({"lock": threading.Lock()})


@pytest.mark.full
def test_a_hundred_megabytes_of_output_do_not_end_the_session(session):
    assert session.run("for i in range(1000): print('x' * 100_000)").ok
    assert len(session.texts(W0)) == 100_001_000
    assert session.run("pass").ok


def test_an_endless_loop_is_interrupted_and_the_session_goes_on(session, tmp_path):
    session.run(STEP)
    interrupt_when(tmp_path / "on")
    code = f"open({str(tmp_path / 'on')!r}, 'w').close()\nimport time\nwhile True: time.sleep(0.1)"
    result = session.run(code)
    with pytest.raises(CellInterrupted, match="is still usable"):
        result.check()
    assert not result.released
    assert session.run("float(step(tf.constant(1.0)))").ok
    assert session.texts(W0) == "2.0"
    with pytest.raises(CellFailed, match=r"cut short.*no longer work.*%mw_restart"):
        check_on_one_line(
            session.run("raise ValueError('Shape mismatch in the collective instance 7')")
        )
    session.api.restart()
    with pytest.raises(CellFailed) as caught:
        session.run("raise ValueError('of no collective that was disturbed')").check()
    assert "%mw_restart" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (
            "tf.config.threading.set_intra_op_parallelism_threads(1)",
            "The session configured devices and threads before its first cell.",
        ),
        ("tf.Session()", "Session is a TensorFlow 1 name."),
        (
            "import json, os\nother = {'worker': ['localhost:1', 'localhost:2'],"
            " 'chief': ['localhost:3']}\nas_task = {'type': 'worker', 'index': task_index}\n"
            "given = os.environ['TF_CONFIG']\n"
            "os.environ['TF_CONFIG'] = json.dumps({'cluster': other, 'task': as_task})\n"
            "try: tf.distribute.MultiWorkerMirroredStrategy()\n"
            "finally: os.environ['TF_CONFIG'] = given",
            "This session has already joined its cluster, and the new strategy belongs to a"
            " different one. Use `strategy`, which is already defined in every cell.",
        ),
        ("tf.constnt(1)", ""),
        ("time.sleep(9)", ""),
    ],
)
def test_a_known_error_gets_its_line_once(session, code, advice):
    with pytest.raises(CellFailed) as caught:
        session.run(code).check()
    _, problem, *remedy = caught.value._render_traceback_()[-2 - bool(advice) :]
    assert problem.endswith(" on worker:0 and worker:1.")
    assert "\n".join(remedy).startswith(advice) if advice else not remedy


@pytest.mark.full
def test_an_error_of_a_graph_is_told_without_the_calls_of_packages(fresh):
    code = "step(tf.ones([2 + task_index]))"
    with pytest.raises(CellFailed) as caught:
        fresh.run(f"{STEP}\n{code}").check()
    shown = re.sub(r"\x1b\[[0-9;]*m", "", "\n".join(caught.value._render_traceback_()))
    history = shown.partition("Detected at node ")[2]
    assert re.search(
        r'\(\d+ calls in installed packages left out\)\n  File ".*", line \d+, in <module>', history
    )
    assert "site-packages" not in history
    assert "_entry.py" not in shown
    assert shown.count("The workers combine values of different shapes") == 1


def test_a_traceback_leaves_out_the_frames_of_this_package_only():
    package = Path(mwtutor.__file__).parent
    assert not link._is_the_cells(f"File {package}/bridges/keras3/trainer.py:135, in fit(self)")
    assert not link._is_the_cells(f'  File "{package}/worker/cell_kernel.py", line 3')
    assert link._is_the_cells("File /home/me/mwtutor/worker/mine.py:1, in train()")
    assert link._is_the_cells("Cell In[3], line 2\n      1 model.fit(data)")
    message = f'ValueError: Graph execution error:\n  File "{package}/_entry.py", line 3, in f'
    assert link._is_the_cells(message), "it is not a frame, though it names one"


@pytest.mark.parametrize(
    ("code", "reason"),
    [
        ("os.kill(os.getpid(), 9)", "worker:1 was killed by signal 9"),
        ("os._exit(0)", "worker:1 has ended"),
    ],
)
def test_a_dead_worker_ends_the_session_and_a_restart_brings_it_back(session, code, reason):
    session.run("old = 1")
    start = time.monotonic()
    with pytest.raises(SessionError, match=reason) as caught:
        session.run(f"import os, time\nif task_index: {code}\ntime.sleep(600)")
    assert time.monotonic() - start < 300
    assert "%mw_restart" in str(caught.value)
    with pytest.raises(SessionError, match="has ended"):
        session.run("1")
    session.restart()
    assert not session.run("old").ok, "nothing is defined"
    assert session.run("task_index").ok


@pytest.mark.full
def test_a_restart_may_have_another_number_of_workers(fresh):
    fresh.run("old = 1")
    with pytest.raises(BadInput, match="0 workers cannot train"):
        fresh.api.restart(0)
    assert fresh.run("old").ok, "it continues as it was"
    for count in (1, 2):
        fresh.api.restart(count)
        assert fresh.run(f"assert num_workers == {count}").ok
        assert not fresh.run("old").ok


def test_a_session_is_a_run(session):
    run = session.api.run
    assert api.find(run.name) is session.api
    until(lambda: run.state.status == "idle")
    session.run("print('to the log')")
    assert "to the log" in run.spec.log(W0).read_text()
    with pytest.raises(SessionError, match="no session named"):
        api.find("nobody")


@pytest.mark.full
def test_a_chief_is_the_chief_and_a_bad_start_leaves_nothing(shared):
    with_chief = Session(ClusterSize(1, chief=True), name="chiefly")
    try:
        assert with_chief.run("(task_type, num_workers, is_chief)").ok
        assert with_chief.texts(TaskId("chief", 0)) == "('chief', 2, True)"
        assert with_chief.texts(W0) == "('worker', 2, False)"
        assert with_chief.api.chief() == TaskId("chief", 0)
    finally:
        with_chief.api.stop()
    with pytest.raises(LaunchFailed, match="could not be started"):
        Session(ClusterSize(1), name="bad", env={"TF_XLA_FLAGS": "--nonsense"})


@pytest.mark.full
def test_bars_made_for_notebooks_are_drawn_as_text(session):
    """The bars of tqdm.notebook are widgets, which cannot leave the worker."""
    bars = "from tqdm.notebook import tqdm, trange\nfor _ in tqdm(range(3)): pass\n[*trange(4)]"
    session.run(bars).check()
    for worker in (W0, W1):
        assert "3/3" in session.texts(worker)
        assert "4/4" in session.texts(worker)

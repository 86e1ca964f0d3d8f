"""Sessions of real workers through the Python API; one session serves most of the tests."""

from __future__ import annotations

import os
import re
import signal
import threading
import time
from collections.abc import Iterator
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
from mwtutor.run.request import LaunchRequest
from mwtutor.sessions import link
from mwtutor.sessions import session as api
from mwtutor.sessions.result import RELEASED, CellError, CellResult, Output
from tests.parity.versions import keras_versions

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]
needs_keras3 = pytest.mark.skipif(3 not in keras_versions(), reason="no Keras 3 here")

W0, W1 = TaskId("worker", 0), TaskId("worker", 1)

#: A step with a collective, in a function that is traced once on every worker.
STEP = """
@tf.function
def step(x):
    return strategy.reduce("SUM", strategy.run(lambda v: v + 0.0, args=(x,)), axis=None)
"""


class Session:
    """A session, and what its cells have put out."""

    def __init__(self, size: ClusterSize, **options: object) -> None:
        given = {"chief": size.chief, "keras": "2", **options}
        request = LaunchRequest("", size.workers, **given)
        self.api = api.Session.start(request)
        self.outputs: list[tuple[TaskId, Output]] = []
        self.spent = False  # whether its workers are of no use to another test

    def run(self, code: str, *tasks: TaskId, **options: object) -> CellResult:
        self.outputs = []
        result = self.api.execute(code, tasks, listener=self, **options)
        self.spent |= bool(result.released)
        return result

    def restart(self) -> None:
        self.api.restart()
        self.spent = False

    def texts(self, task: TaskId) -> str:
        """What a worker has printed and shown, as text."""
        found = [output for name, output in self.outputs if name == task]
        return "".join(out.text or out.data.get("text/plain", "") for out in found)

    def output(self, task: TaskId, output: Output) -> None:
        self.outputs.append((task, output))

    def ended(self, task: TaskId) -> None: ...

    def tick(self) -> None: ...


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory, _engine: None) -> Iterator[Path]:
    before = Path.cwd()
    path = tmp_path_factory.mktemp("session")
    os.chdir(path)
    yield path
    os.chdir(before)


@pytest.fixture(scope="module")
def shared(home: Path) -> Iterator[Session]:
    session = Session(ClusterSize(2))
    yield session
    session.api.stop()
    assert session.api.run.outcome.status == "stopped"
    assert not Path(session.api.run.spec.program.target).exists(), "sockets were left"


@pytest.fixture
def session(shared: Session) -> Session:
    """The shared session, with workers whose collectives work."""
    if shared.spent or shared.api.run.outcome is not None or not shared.run("pass").ok:
        shared.restart()
    return shared


@pytest.fixture
def fresh(shared: Session) -> Iterator[Session]:
    """The shared session with workers of one's own, to be broken as the test likes."""
    shared.restart()
    yield shared
    shared.spent = True


def interrupt_when(path: Path) -> None:
    """Send this process SIGINT as soon as the file exists."""

    def watch() -> None:
        while not path.exists():
            time.sleep(0.02)
        time.sleep(0.3)
        os.kill(os.getpid(), signal.SIGINT)

    threading.Thread(target=watch, daemon=True).start()


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
    session.run("1/0", scope=True)
    assert session.run("tf.distribute.has_strategy()").ok
    assert session.texts(W0) == "False", "the scope was left after an error"


def test_collectives_join_the_workers(session):
    assert session.run(STEP).ok
    assert session.run("float(step(tf.constant(float(task_index + 1))))").ok
    assert (session.texts(W0), session.texts(W1)) == ("3.0", "3.0")


def test_output_comes_as_it_is_made_and_is_in_the_log_too(session):
    seen: list[float] = []
    start = time.monotonic()

    class Listener(Session):
        def __init__(self) -> None: ...

        def output(self, task: TaskId, output: Output) -> None:
            seen.append(time.monotonic() - start)

    code = (
        "import time\nprint('early', flush=True)\ntime.sleep(2)\ntf.print('by tf')\nprint('late')"
    )
    session.api.execute(code, listener=Listener())
    assert min(seen) < 1.7 < 2 <= max(seen)
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


def test_a_cell_that_runs_again_keeps_its_place_in_the_script(fresh):
    for code, place in (("a = 1", "A"), ("b = a + 1", "B"), ("a = 2", "A")):
        assert fresh.api.execute(code, place=place).ok
    assert [cell.source for cell in fresh.api.cells][-2:] == ["a = 2", "b = a + 1"]


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


@pytest.mark.parametrize("code", ["strategy = 'ring'", "del strategy", "%reset -f"])
def test_without_its_strategy_a_scope_is_refused_and_the_session_goes_on(fresh, code):
    fresh.run(code)
    said = r"`strategy`.* is no longer a strategy on worker:0 and worker:1.*%mw_restart"
    with pytest.raises(CellFailed, match=said):
        _one_line(fresh.run("1", scope=True))
    assert fresh.run("1 + 1").ok
    assert fresh.texts(W1) == "2"


def test_a_pushed_strategy_of_another_kind_and_one_lost_by_one_worker_are_told(fresh):
    fresh.api.push({"strategy": 3})
    with pytest.raises(CellFailed, match="is no longer a strategy on worker:0 and worker:1"):
        fresh.run("1", scope=True).check()
    fresh.restart()
    fresh.run("mine = strategy\nif task_index: strategy = None")
    with pytest.raises(CellFailed, match="is no longer a strategy on worker:1"):
        fresh.run("tf.Variable(1.0)", scope=True).check()


@pytest.mark.parametrize("where", ["type(shell).run_cell", "type(shell.kernel).finish_metadata"])
def test_a_worker_always_replies_whatever_breaks_around_the_cell(fresh, where):
    fresh.run(f"shell = get_ipython()\n{where} = None")
    with pytest.raises(CellFailed, match="TypeError on worker:0 and worker:1"):
        fresh.run("1").check()


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
        _one_line(session.run("raise ValueError('Shape mismatch in the collective instance 7')"))
    session.api.restart()
    with pytest.raises(CellFailed) as caught:
        session.run("raise ValueError('of no collective that was disturbed')").check()
    assert "%mw_restart" not in str(caught.value)


@pytest.mark.parametrize(
    ("code", "advice"),
    [
        (
            "tf.config.threading.set_intra_op_parallelism_threads(1)",
            "The session has configured devices and threads before its first cell.",
        ),
        ("tf.Session()", "Session is a name of TensorFlow 1."),
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


def test_a_worker_out_of_step_with_a_released_one_is_told_to_restart():
    errors = {
        W0: CellError("InvalidArgumentError", "Shape mismatch in the collective instance 7"),
        W1: CellError("AbortedError", RELEASED),
    }
    with pytest.raises(
        CellFailed, match=r"InvalidArgumentError on worker:0\..*cut short"
    ) as caught:
        CellResult((W0, W1), errors).check()
    assert "%mw_restart" in str(caught.value)


def test_a_traceback_leaves_out_the_frames_of_this_package_only():
    package = Path(mwtutor.__file__).parent
    assert not link._is_the_cells(f"File {package}/bridges/keras3/trainer.py:135, in fit(self)")
    assert not link._is_the_cells(f'  File "{package}/worker/cell_kernel.py", line 3')
    assert link._is_the_cells("File /home/me/mwtutor/worker/mine.py:1, in train()")
    assert link._is_the_cells("Cell In[3], line 2\n      1 model.fit(data)")
    message = f'ValueError: Graph execution error:\n  File "{package}/_entry.py", line 3, in f'
    assert link._is_the_cells(message), "it is no frame, though it names one"


def test_workers_that_wait_for_a_failed_one_are_released_within_a_second(fresh):
    fresh.run(STEP + "\nstep(tf.constant(1.0))")
    code = (
        "import time\nif task_index: time.sleep(1); print(time.time()); raise OSError('mine')\n"
        "try:\n    step(tf.constant(1.0))\nfinally:\n    print(time.time())"
    )
    result = fresh.run(code)
    assert result.released == (W0,)
    assert result.errors[W1].name == "OSError"
    # 0.7 s, most of it patience; more is left here for machines that are busy with other things.
    assert float(fresh.texts(W0)) - float(fresh.texts(W1)) < 3.0
    with pytest.raises(CellFailed, match=r"OSError on worker:1.*worker:0 waited.*%mw_restart"):
        _one_line(result)
    with pytest.raises(CellFailed, match=r"no longer work.*%mw_restart"):
        _one_line(fresh.run("step(tf.constant(1.0))"))
    assert fresh.run("tf.constant(1.0) + 1.0").ok, "local operations work on"


def _one_line(result: CellResult) -> None:
    try:
        result.check()
    except CellFailed as error:
        raise CellFailed(str(error).replace("\n", " ")) from None


def test_a_collective_on_one_worker_only_is_told_and_does_not_hang(fresh):
    fresh.run(STEP)
    with pytest.raises(CellFailed, match="take no part"):
        fresh.run("step(tf.constant(1.0))", W0).check()
    fresh.restart()
    fresh.run(STEP)
    with pytest.raises(CellFailed, match="take no part"):
        fresh.run("if is_chief: step(tf.constant(1.0))").check()


def test_another_strategy_on_one_worker_only_is_told_and_does_not_hang(fresh):
    with pytest.raises(CellFailed, match="take no part"):
        fresh.run("tf.distribute.MultiWorkerMirroredStrategy()", W0).check()


#: A step of Keras under the strategy ``own``.
FIT = """
with own.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
model.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)
"""


def test_a_mirrored_strategy_has_the_workers_own_devices(session):
    """With those of the others TensorFlow crashes."""
    session.run("own = tf.distribute.MirroredStrategy()\nown.extended.worker_devices" + FIT).check()
    session.run("print(own.extended.worker_devices)").check()
    for task in (W0, W1):
        (device,) = eval(session.texts(task))
        assert f"/task:{task.index}/" in device


def test_another_strategy_waits_for_the_slower_worker(session):
    """A worker that went on would send values that the other throws away when it comes."""
    another = "own = tf.distribute.MultiWorkerMirroredStrategy()" + FIT
    session.run(f"import time\nif not is_chief: time.sleep(0.5)\n{another}").check()
    session.run(f"import time\nif is_chief: time.sleep(0.5)\n{another}").check()
    session.run(STEP + "print(float(step(tf.constant(1.0))))").check()
    assert session.texts(W0) == "2.0\n", "the first one works as before"


def test_a_worker_that_works_for_itself_is_not_taken_to_wait(session):
    code = "import time\nif task_index == 0:\n    time.sleep(3); 7"
    assert session.run(code).released == ()
    busy = (
        "import time\nend = time.time() + 3\nwhile time.time() < end: tf.reduce_sum(tf.ones(1000))"
    )
    assert session.run(busy, W1).ok


#: Data whose elements take longer than the patience with a worker that waits.
SLOW = """
import time
def slow():
    for i in range(2):
        time.sleep(3)
        yield [[float(i)]], [[1.0]]
kind = (tf.TensorSpec((1, 1)), tf.TensorSpec((1, 1)))
data = tf.data.Dataset.from_generator(slow, output_signature=kind)
"""

TOTAL = """
@tf.function
def total():
    sum = 0.0
    for x, y in data:
        sum += tf.reduce_sum(x)
    return sum
"""

LOCAL = """
import keras
with tf.distribute.OneDeviceStrategy("CPU:0").scope():
    local = keras.Sequential([keras.layers.Dense(1)])
    local.compile("sgd", "mse")
"""


@pytest.mark.parametrize(
    "work", [TOTAL + "total()", LOCAL + "local.fit(data, verbose=0)", "for _ in data: pass"]
)
def test_slow_data_of_one_worker_is_not_taken_for_a_collective(session, work):
    session.run(STEP)
    result = session.run(SLOW + work, W0)
    assert result.ok
    assert result.released == ()
    assert session.run("float(step(tf.constant(1.0)))").ok
    assert session.texts(W0) == "2.0"


def test_slow_data_is_waited_for_after_another_worker_has_failed(session):
    session.run(STEP + SLOW + TOTAL)
    result = session.run("if task_index: 1/0\nfloat(total())")
    assert result.released == ()
    assert session.texts(W0) == "1.0"
    assert session.run("step(tf.constant(1.0))").ok


IN_A_LOOP = """
@tf.function
def steps():
    x = tf.constant(1.0)
    for _ in tf.range(3):
        x = step(x)
    return x
steps()
"""


@pytest.mark.parametrize(
    "collective",
    [
        "strategy.reduce('SUM', tf.constant(1.0), axis=None)",
        "with strategy.scope(): tf.Variable(1.0)",
        IN_A_LOOP,
    ],
)
def test_a_collective_of_any_kind_on_one_worker_is_released(fresh, collective):
    fresh.run(STEP)
    start = time.monotonic()
    assert fresh.run(collective, W0).released == (W0,)
    assert time.monotonic() - start < 15


def test_a_release_that_the_cell_has_caught_is_told(fresh):
    fresh.run(STEP)
    result = fresh.run("try: step(tf.constant(1.0))\nexcept tf.errors.OpError: pass", W0)
    assert result.ok
    assert re.search("worker:0 waited in a collective.*released.*%mw_restart", result.warning)
    assert fresh.run("pass").warning == ""


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
        session.run(f"import os, time\nif task_index: {code}\ntime.sleep(100)")
    assert time.monotonic() - start < 10
    assert "%mw_restart" in str(caught.value)
    with pytest.raises(SessionError, match="has ended"):
        session.run("1")
    session.restart()
    assert not session.run("old").ok, "nothing is defined"
    assert session.run("task_index").ok


@needs_keras3
def test_in_cells_a_worker_may_train_alone_and_is_told(home):
    """As the tutorial does before it speaks of strategies, and with a model that it has loaded."""
    session = Session(ClusterSize(2), keras="3", name="alone")
    alone = FIT.replace("with own.scope():", "if True:")
    session.run(alone).check()
    assert all("trains this model alone" in session.texts(task) for task in (W0, W1))
    session.run(FIT.replace("own.", "strategy.")).check()
    assert not any("alone" in session.texts(task) for task in (W0, W1))
    session.run(
        "path = f'{task_index}.keras'\nmodel.save(path)\n"
        "model = tf.keras.models.load_model(path)\nmodel.fit(tf.ones((4, 2)), tf.ones((4, 1)))"
    ).check()
    assert all("trains this model alone" in session.texts(task) for task in (W0, W1))
    session.api.stop()


def test_a_session_is_a_run(session):
    run = session.api.run
    assert api.find(run.name) is session.api
    assert run.state.status == "running"
    session.run("print('to the log')")
    assert "to the log" in run.spec.log(W0).read_text()
    with pytest.raises(SessionError, match="no session named"):
        api.find("nobody")


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

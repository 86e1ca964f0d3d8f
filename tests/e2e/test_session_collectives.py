"""Collectives and strategies in the cells of a session, and endless waits of workers."""

from __future__ import annotations

import json
import re
import subprocess
import sys
import threading

import pytest

from mwtutor.cluster import ClusterSize
from mwtutor.display.panel.listing import Listing
from mwtutor.display.panel.panel import Panel
from mwtutor.exceptions import CellFailed
from mwtutor.sessions.result import RELEASED, CellError, CellResult
from tests.parity.versions import keras_versions
from tests.support.runs.live_session import STEP, W0, W1, Session, check_on_one_line
from tests.support.waiting import until

pytestmark = [pytest.mark.e2e, pytest.mark.tensorflow]
needs_keras3 = pytest.mark.skipif(3 not in keras_versions(), reason="no Keras 3 here")


def test_collectives_join_the_workers(session):
    assert session.run(STEP).ok
    assert session.run("float(step(tf.constant(float(task_index + 1))))").ok
    assert (session.texts(W0), session.texts(W1)) == ("3.0", "3.0")
    for _ in range(2):
        assert session.api.unusable(10.0) == ""
    assert session.run("float(step(tf.constant(float(task_index + 1))))").ok, "nothing was lost"


def test_exchanges_of_cells_are_recorded_by_cell(session):
    session.run(STEP)
    session.run("step(tf.constant(1.0))", count=7)

    def newest():
        ledgers = session.api.run.exchanges().ledgers
        # A ledger is empty until the task's first exchange is written.
        return [str(one.line) for task in (W0, W1) for one in ledgers[task].exchanges[-1:]]

    until(lambda: newest() == ["line 1 of cell 7"] * 2)


@pytest.mark.full
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


def test_workers_that_wait_for_a_failed_one_are_released(fresh):
    fresh.run(STEP + "\nstep(tf.constant(1.0))")
    code = (
        "import time\nif task_index: time.sleep(1); print(time.time()); raise OSError('mine')\n"
        "try:\n    step(tf.constant(1.0))\nfinally:\n    print(time.time())"
    )
    result = fresh.run(code, count=7)
    assert (result.released, result.waited_at) == ((W0,), "line 4 of cell 7")
    assert result.errors[W1].name == "OSError"
    # 0.7 s, mostly deliberate waiting; busy machines get more time here.
    assert float(fresh.texts(W0)) - float(fresh.texts(W1)) < 30.0
    with pytest.raises(CellFailed, match=r"OSError on worker:1.*worker:0 waited.*%mw_restart"):
        check_on_one_line(result)
    assert fresh.api.unusable(10.0) == (
        "Collectives no longer work in this session: released by mwtutor: another worker takes no"
        " part in this collective."
    )
    with pytest.raises(CellFailed, match=r"no longer work.*%mw_restart"):
        check_on_one_line(fresh.run("step(tf.constant(1.0))"))
    assert fresh.run("tf.constant(1.0) + 1.0").ok, "local operations work on"


def test_an_error_of_a_collective_that_the_cell_has_caught_is_known_afterwards(fresh):
    uneven = "strategy.gather(tf.ones([task_index + 1, task_index + 1]), axis=0)"
    assert fresh.run(f"try:\n    {uneven}\nexcept Exception:\n    pass").ok
    assert "Shape mismatch" in fresh.api.unusable(10.0)
    until(lambda: fresh.api.run.state.status == "collectives broken")
    fresh.restart()
    assert fresh.api.unusable(10.0) == ""


def words(run):
    return [task.cells.words for task in run.tasks.values() if task.cells is not None]


def test_a_session_shows_which_cell_it_executes(session, home):
    run, go = session.api.run, home / "go"
    until(lambda: words(run) == ["idle", "idle"])
    code = (
        f"import os, time\nwhile task_index and not os.path.exists({str(go)!r}): time.sleep(0.05)"
    )
    cell = threading.Thread(target=session.run, args=(code,), kwargs={"count": 7})
    cell.start()
    try:
        until(lambda: words(run) == ["idle", "executing cell 7"])
        shown = repr(Panel.from_run(run))
        assert re.match("session: executing · cell 7 for ", shown)
        assert re.search(
            r"worker:0 +idle\n +worker:1 +executing cell 7", re.sub(" +[0-9]+ MiB.*", "", shown)
        )
    finally:
        go.touch()
        cell.join()
    until(lambda: run.state.status == "idle")


def test_a_session_whose_collectives_are_broken_says_so_wherever_it_is_shown(fresh):
    fresh.run(STEP + "\nif task_index: raise OSError('mine')\nstep(tf.constant(1.0))")
    run = fresh.api.run
    until(lambda: run.state.status == "collectives broken")
    assert repr(run) == "<Run session: collectives broken>"
    assert repr(fresh.api) == "<Session session: collectives broken>"
    assert "collectives broken" in repr(Listing([run]))
    command = [sys.executable, "-c", "import sys; from mwtutor.cli import main; sys.exit(main())"]
    terminal = subprocess.run([*command, "status", "session"], capture_output=True, text=True)
    panel = Panel.from_run(run)
    for shown in (repr(panel), panel._repr_html_(), terminal.stdout):
        assert "collectives broken" in shown
        assert "Collectives no longer work in this session, because a worker had to be" in shown
        assert "In its notebook, %mw_restart starts fresh workers." in shown
    logged = map(json.loads, run.spec.events.read_text().splitlines())
    assert any("released" in event.get("lost", "") for event in logged)
    assert fresh.run("1 + 1").ok
    assert run.state.status == "collectives broken", "a cell that works does not mend them"
    fresh.restart()
    until(lambda: fresh.api.run.state.status == "idle")


@pytest.mark.full
def test_a_collective_on_one_worker_only_is_told_and_does_not_hang(fresh):
    fresh.run(STEP)
    with pytest.raises(CellFailed, match="take no part"):
        fresh.run("step(tf.constant(1.0))", W0).check()
    fresh.restart()
    fresh.run(STEP)
    with pytest.raises(CellFailed, match=r"collective, at line 2 of cell 8, for .* take no part"):
        fresh.run("pass\nif is_chief: step(tf.constant(1.0))", count=8).check()


@pytest.mark.full
def test_another_strategy_on_one_worker_only_is_told_and_does_not_hang(fresh):
    with pytest.raises(CellFailed, match="take no part"):
        fresh.run("tf.distribute.MultiWorkerMirroredStrategy()", W0).check()


#: A Keras step under the strategy ``own``.
FIT = """
with own.scope():
    model = tf.keras.Sequential([tf.keras.layers.Dense(1, input_shape=(2,))])
    model.compile("sgd", "mse")
model.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)
"""


@pytest.mark.full
def test_a_mirrored_strategy_has_the_workers_own_devices(session):
    """With the other workers' devices, TensorFlow crashes."""
    session.run("own = tf.distribute.MirroredStrategy()\nown.extended.worker_devices" + FIT).check()
    session.run("print(own.extended.worker_devices)").check()
    for task in (W0, W1):
        (device,) = eval(session.texts(task))
        assert f"/task:{task.index}/" in device


def test_training_under_a_mirrored_strategy_is_told_to_be_each_workers_own(session):
    session.run("own = tf.distribute.MirroredStrategy()" + FIT).check()
    words = "each worker trains this model alone, on all the data that it has: the model was"
    for task in (W0, W1):
        assert session.texts(task).count(f"mwtutor: {words} created under a MirroredStrategy") == 1
    session.run("model.fit(tf.ones((4, 2)), tf.ones((4, 1)), verbose=0)").check()
    assert not any("alone" in session.texts(task) for task in (W0, W1)), "it is said once"


@pytest.mark.full
def test_another_strategy_waits_for_the_slower_worker(session):
    """If a worker continued, it would send values that a slower worker would then discard."""
    another = "own = tf.distribute.MultiWorkerMirroredStrategy()" + FIT
    session.run(f"import time\nif not is_chief: time.sleep(0.5)\n{another}").check()
    session.run(f"import time\nif is_chief: time.sleep(0.5)\n{another}").check()
    session.run(STEP + "print(float(step(tf.constant(1.0))))").check()
    assert session.texts(W0) == "2.0\n", "the first one works as before"


@pytest.mark.full
def test_a_worker_that_works_for_itself_is_not_taken_to_wait(session):
    code = "import time\nif task_index == 0:\n    time.sleep(3); 7"
    assert session.run(code).released == ()
    busy = (
        "import time\nend = time.time() + 3\nwhile time.time() < end: tf.reduce_sum(tf.ones(1000))"
    )
    assert session.run(busy, W1).ok


#: Data whose elements take longer than a session lets a worker wait for an absent worker.
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


@pytest.mark.full
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


@pytest.mark.full
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


@pytest.mark.full
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
    assert fresh.run(collective, W0).released == (W0,)


@pytest.mark.full
def test_a_release_that_the_cell_has_caught_is_told(fresh):
    fresh.run(STEP)
    result = fresh.run("try: step(tf.constant(1.0))\nexcept tf.errors.OpError: pass", W0)
    assert result.ok
    assert re.search("worker:0 waited in a collective.*released.*%mw_restart", result.warning)
    assert fresh.run("pass").warning == ""


@pytest.mark.full
@needs_keras3
def test_in_cells_a_worker_may_train_alone_and_is_told(home):
    """As in the tutorial before it introduces strategies, and with a loaded model."""
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
